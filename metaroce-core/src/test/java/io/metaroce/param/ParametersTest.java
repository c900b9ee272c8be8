package io.metaroce.param;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class ParametersTest {
    private static final long GBIT = 125_000_000;

    @Test
    void bothProfilesAreWithinTheirOwnBounds() {
        assertThat(Profiles.model().rate().outboundBytesPerSecond()).isEqualTo(400 * GBIT);
        assertThat(Profiles.model().scheduler().burstPackets()).isEqualTo(1);
        assertThat(Profiles.udp().rate().outboundBytesPerSecond()).isEqualTo(10 * GBIT);
        assertThat(Profiles.udp().scheduler().burstPackets()).isEqualTo(14);
        assertThat(Profiles.udp().path().paths()).isEqualTo(16);
    }

    @Test
    void aValueOutOfRangeIsRefusedWithValueRangeAndSetting() {
        assertThatThrownBy(() -> new SchedulerConfig(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("scheduler.burstPackets = 0")
                .hasMessageContaining("1..128");
        assertThatThrownBy(() -> new SchedulerConfig(129)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Profiles.model().rate().withLineRate(999_999, 1_000_000))
                .hasMessageContaining("rate.outboundBytesPerSecond");
        assertThatThrownBy(() -> Profiles.model().rate().withLineRate(1_000_000, 1_000_000_000_001L))
                .hasMessageContaining("rate.inboundBytesPerSecond");
        assertThatThrownBy(() -> Profiles.model().path().withPaths(255)).hasMessageContaining("path.paths");
        assertThatThrownBy(() -> new AckConfig(0, 1024, 0)).hasMessageContaining("ack.everyPackets");
        assertThatThrownBy(() -> new EndpointLimits(0, 256, 1, 1, 1)).hasMessageContaining("limits.connections");
    }

    @Test
    void thePayloadIsOneOfFourSizes() {
        ConnectionLimits limits = Profiles.model().connection();
        for (int bytes : new int[] {1024, 2048, 4096, 8192}) {
            assertThat(limits.withPayloadBytes(bytes).payloadBytes()).isEqualTo(bytes);
        }
        assertThatThrownBy(() -> limits.withPayloadBytes(1500))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1500");
    }

    @Test
    void changingOneRecordLeavesTheOthers() {
        EndpointConfig model = Profiles.model();
        EndpointConfig changed = model.withScheduler(new SchedulerConfig(4))
                .withCookies(EndpointConfig.Cookies.OFF)
                .withRate(model.rate().withLineRate(GBIT, 2 * GBIT));
        assertThat(changed.scheduler().burstPackets()).isEqualTo(4);
        assertThat(changed.cookies()).isEqualTo(EndpointConfig.Cookies.OFF);
        assertThat(changed.rate().inboundBytesPerSecond()).isEqualTo(2 * GBIT);
        assertThat(changed.path()).isEqualTo(model.path());
        assertThat(changed.ack()).isEqualTo(model.ack());
        assertThat(changed.liveness()).isEqualTo(model.liveness());
        assertThat(changed.withScheduler(model.scheduler())
                        .withCookies(model.cookies())
                        .withRate(model.rate()))
                .isEqualTo(model);
        assertThat(model.withPath(Profiles.udp().path())
                        .withAck(Profiles.udp().ack())
                        .withLiveness(Profiles.udp().liveness())
                        .withLimits(Profiles.udp().limits())
                        .withPlane(Profiles.udp().plane())
                        .withConnection(Profiles.udp().connection())
                        .withRate(Profiles.udp().rate())
                        .withScheduler(Profiles.udp().scheduler()))
                .isEqualTo(Profiles.udp());
    }

    @Test
    void everyStreamErrorComesBackFromItsCode() {
        TreeSet<Integer> codes = new TreeSet<>();
        for (StreamError error : StreamError.values()) {
            assertThat(StreamError.of(error.code())).isEqualTo(error);
            assertThat(error.sentence()).isNotBlank();
            assertThat(codes.add(error.code())).isTrue();
        }
        assertThat(StreamError.of(0xEE)).isEqualTo(StreamError.OP_ERR);
    }

    @Test
    void everyRejectionComesBackFromItsCode() {
        for (CloseReason reason : CloseReason.values()) {
            assertThat(reason.sentence()).isNotBlank();
            if (reason.rejectCode() != 0) {
                assertThat(CloseReason.ofRejectCode(reason.rejectCode())).isEqualTo(reason);
            }
        }
        assertThat(CloseReason.ofRejectCode(99)).isEqualTo(CloseReason.REJECTED_REFUSED);
    }
}
