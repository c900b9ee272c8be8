package io.metaroce.udp;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.num.SplitMix64;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SourcePortsTest {
    private final List<Integer> asked = new ArrayList<>();
    private final OutboundSocket service = socket();

    private static OutboundSocket socket() {
        return new OutboundSocket(
                new EmbeddedChannel(), 0, OutboundSocket.Segmentation.OFF, new SendTally(), new SendTrouble(() -> 0));
    }

    private SourcePorts pool(int count, SourcePorts.Opener opener) {
        return new SourcePorts(
                count,
                port -> {
                    asked.add(port);
                    return opener.open(port);
                },
                new SplitMix64(3),
                service);
    }

    @Test
    void socketsAreOpenedWhenTheyAreFirstUsedAndInTheDynamicRange() {
        SourcePorts pool = pool(64, port -> socket());
        assertThat(asked).isEmpty();
        Set<OutboundSocket> sockets = new HashSet<>();
        for (int round = 0; round < 2; round++) {
            for (int value = 0; value < 64; value++) {
                sockets.add(pool.apply(value));
            }
        }
        assertThat(sockets).hasSize(64);
        assertThat(asked).hasSize(64).allSatisfy(port -> assertThat(port).isBetween(49_152, 65_535));
        assertThat(asked).doesNotContain(UdpConfig.DEFAULT_PORT);
    }

    @Test
    void aPortThatIsTakenIsReplacedByAnother() {
        SourcePorts pool = pool(1, port -> {
            if (asked.size() < 5) {
                throw new PortTakenException("here", "taken", new IOException());
            }
            return socket();
        });
        assertThat(pool.apply(0)).isNotSameAs(service);
        assertThat(asked).hasSize(5);
    }

    @Test
    void whenAllDrawnPortsAreTakenAnyPortDoes() {
        SourcePorts pool = pool(1, port -> {
            if (port != 0) {
                throw new PortTakenException("here", "taken", new IOException());
            }
            return socket();
        });
        assertThat(pool.apply(0)).isNotSameAs(service);
    }

    @Test
    void whenSocketsRunOutThoseThatAreThereAreShared() {
        SourcePorts pool = pool(8, port -> {
            if (asked.size() > 2) {
                throw new BindFailedException("here", "too many open files", new IOException());
            }
            return socket();
        });
        Set<OutboundSocket> sockets = new HashSet<>();
        for (int value = 0; value < 8; value++) {
            sockets.add(pool.apply(value));
        }
        assertThat(sockets).hasSize(2).doesNotContain(service);
        assertThat(asked).as("each value tries once, not sixteen times").hasSize(8);
    }

    @Test
    void withoutAnySocketTheServiceSocketSends() {
        SourcePorts pool = pool(2, port -> {
            throw new BindFailedException("here", "too many open files", new IOException());
        });
        assertThat(pool.apply(1)).isSameAs(service);
    }
}
