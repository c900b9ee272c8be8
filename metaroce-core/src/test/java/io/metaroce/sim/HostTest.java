package io.metaroce.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaroce.datagram.Address;
import io.metaroce.param.CloseReason;
import io.metaroce.queue.WrOpcode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostTest {
    private final Transfer transfer = new Transfer(Transfer.Job.of(1, WrOpcode.SEND, 4000));
    private final Host a = transfer.a.host;
    private final Host b = transfer.b.host;

    @Test
    void namesAndNumbersAreAddresses() {
        Address address = Address.ipv4(0x0A000002, 49741);
        assertThat(a.resolve("b")).isEqualTo(address).isEqualTo(b.localAddress());
        assertThat(a.resolve("10.0.0.2")).isEqualTo(address);
        assertThat(a.resolve("b:49741")).isEqualTo(address);
        assertThat(a.resolve("10.0.0.2:5000")).isEqualTo(Address.ipv4(0x0A000002, 5000));
    }

    @ParameterizedTest
    @ValueSource(strings = {"c", "10.0.0.256", "b:x", "b:0", "10.0.0.1000"})
    void whatIsNoAddressIsRefused(String text) {
        assertThatThrownBy(() -> a.resolve(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void waitingLetsTheWorldGoOn() {
        assertThat(a.await(() -> a.world().nowNs() > 1_000, 1_000)).isFalse();
        assertThat(a.world().nowNs()).isEqualTo(1_000);
        transfer.b.listens();
        transfer.a.connects(transfer.b);
        assertThat(a.await(() -> transfer.a.isEstablished, 1_000_000)).isTrue();
    }

    @Test
    void silenceHasItsReasons() {
        assertThat(a.diagnose(b.localAddress(), 0)).isNull();
        assertThat(a.diagnose(Address.ipv4(0x0A000077, 49741), 0)).contains("no route");
        assertThat(a.diagnose(Address.ipv4(0x0A000002, 4791), 0)).contains("49741");
        b.close();
        assertThat(a.diagnose(b.localAddress(), 0)).contains("nothing is attached at b");
    }

    @Test
    void aHostThatClosesGivesEverythingUp() {
        transfer.connect();
        transfer.post();
        a.close();
        a.close();
        assertThat(transfer.a.closeReason).isEqualTo(CloseReason.LOCAL_ABORT);
        assertThat(transfer.a.app.poll()).extracting(App.Done::brief).containsExactly("0 WR_FLUSH_ERR");
        assertThat(b.await(() -> transfer.b.isClosed, 1_000_000_000)).isTrue();
        assertThat(transfer.b.closeReason).isEqualTo(CloseReason.PEER_ABORT);
    }
}
