package io.metaroce.udp;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class SocketBuffersTest {
    @Test
    void tooSmallABufferComesWithTheLineThatHelps() {
        assertThat(SocketBuffers.advice(4 << 20, 212_992))
                .isEqualTo("the kernel granted a receive buffer of 208 KiB where 4 MiB were asked for; bursts beyond it"
                        + " are lost. To allow it: sysctl -w net.core.rmem_max=4194304");
    }

    @Test
    void enoughIsNotWorthAWord() {
        assertThat(SocketBuffers.advice(4 << 20, 4 << 20)).isNull();
        assertThat(SocketBuffers.advice(4 << 20, 8 << 20)).isNull();
    }

    @Test
    void theInboundRateIsWhatTheBufferHoldsOfAMillisecond() {
        assertThat(SocketBuffers.inboundBoundBytesPerSecond(212_992)).isEqualTo(212_992_000);
    }

    @Test
    void interfaceSpeedsAreMegabitsOrUnknown() {
        assertThat(LocalInterfaces.parseSpeed("10000\n")).isEqualTo(OptionalLong.of(1_250_000_000));
        assertThat(LocalInterfaces.parseSpeed("-1\n")).isEmpty();
        assertThat(LocalInterfaces.parseSpeed("")).isEmpty();
        assertThat(LocalInterfaces.speedOf("no-such-device")).isEmpty();
        assertThat(LocalInterfaces.lineRateBytesPerSecond(InetAddress.getLoopbackAddress()))
                .isEqualTo(12_500_000_000L);
    }

    @Test
    void thePayloadFitsTheInterface() {
        InetAddress v4 = HostPort.parse("127.0.0.1").addresses()[0];
        InetAddress v6 = HostPort.parse("::1").addresses()[0];
        assertThat(EffectiveSettings.payloadFor(4096, 65_536, v4)).isEqualTo(4096);
        assertThat(EffectiveSettings.payloadFor(8192, 9000, v4)).isEqualTo(8192);
        assertThat(EffectiveSettings.payloadFor(4096, 1500, v6)).isEqualTo(1024);
        assertThat(EffectiveSettings.payloadFor(1024, 576, v4))
                .as("the least there is")
                .isEqualTo(1024);
        assertThat(EffectiveSettings.payloadFor(4096, 4096 + 96 + 28, v4)).isEqualTo(4096);
        assertThat(EffectiveSettings.payloadFor(4096, 4096 + 96 + 28, v6)).isEqualTo(2048);
    }
}
