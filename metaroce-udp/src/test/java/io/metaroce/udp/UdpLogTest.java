package io.metaroce.udp;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.param.CloseReason;
import io.metaroce.trace.TransportEvents;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

class UdpLogTest {
    private final List<String> lines = new ArrayList<>();

    private final Logger logger = (Logger) Proxy.newProxyInstance(
            UdpLogTest.class.getClassLoader(), new Class<?>[] {Logger.class}, (proxy, method, arguments) -> {
                String text = (String) arguments[0];
                Object[] values = arguments.length > 1 && arguments[1] instanceof Object[] many
                        ? many
                        : java.util.Arrays.copyOfRange(arguments, 1, arguments.length);
                for (Object value : values) {
                    text = text.replaceFirst("\\{}", java.util.regex.Matcher.quoteReplacement(String.valueOf(value)));
                }
                return lines.add(method.getName() + " " + text);
            });
    private final TransportEvents log = new UdpLog(logger);

    @Test
    @SuppressWarnings("EnumOrdinal")
    void theLifeOfAConnectionIsTwoLines() {
        log.established(1, 0xAB);
        log.closed(2, 0xAB, CloseReason.PEER_CLOSE.ordinal());
        assertThat(lines)
                .containsExactly(
                        "info connection 0x000000ab established",
                        "info connection 0x000000ab closed: closed by the peer");
    }

    @Test
    void nothingIsSaidPerPacketAndNothingOfSuspicion() {
        log.timedOut(1, 1, 1);
        log.slotLost(1, 1, 1, 1);
        log.pathState(1, 1, 1, 2);
        log.pathState(1, 1, 1, 1);
        assertThat(lines).isEmpty();
    }

    @Test
    void failureAndItsEndAreNews() {
        log.pathState(1, 1, 3, 4);
        log.pathState(2, 1, 3, 1);
        log.pathRebound(3, 1, 4, 2, 17);
        assertThat(lines)
                .containsExactly(
                        "info path 3 of connection 0x00000001 is failed",
                        "info path 3 of connection 0x00000001 is active again",
                        "info path 4 of connection 0x00000001 takes another route: source port 17, epoch 2");
    }

    @Test
    void aStormIsAFewLinesAndANumber() {
        for (int i = 0; i < 1000; i++) {
            log.pathRebound(TimeUnit.MILLISECONDS.toNanos(i), 1, 1, i, i);
        }
        assertThat(lines).hasSize(5);
        log.pathRebound(TimeUnit.SECONDS.toNanos(11), 1, 1, 5, 5);
        assertThat(lines).hasSize(6);
        assertThat(lines.get(5)).endsWith("(995 lines like this were left out before)");
    }
}
