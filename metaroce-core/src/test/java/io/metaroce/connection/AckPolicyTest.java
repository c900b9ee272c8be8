package io.metaroce.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.num.Deadline;
import io.metaroce.param.AckConfig;
import io.metaroce.path.InboundPath;
import org.junit.jupiter.api.Test;

class AckPolicyTest {
    private static final long RTT_NS = 80_000;
    private final AckPolicy policy = new AckPolicy(new AckConfig(4, 16 * 1024, 1_000));
    private final InboundPath path = new InboundPath(0, 0, 256, 4);

    @Test
    @Covers("R-ACK-003")
    void aReportIsDueAfterSoManyPackets() {
        accept(0, 100, 3);
        assertThat(policy.isDue(999)).isFalse();
        accept(0, 100, 1);
        assertThat(policy.isDue(0)).isTrue();
    }

    @Test
    @Covers("R-ACK-003")
    void aReportIsDueAfterSoManyBytes() {
        accept(0, 8_192, 1);
        assertThat(policy.isDue(0)).isFalse();
        accept(0, 8_192, 1);
        assertThat(policy.isDue(0)).isTrue();
    }

    @Test
    @Covers("R-ACK-003")
    void aReportIsDueAfterTheLongestDelayCountedFromTheFirstPacket() {
        accept(500, 100, 1);
        accept(900, 100, 1);
        assertThat(policy.deadlineNs()).isEqualTo(1_500);
        assertThat(policy.isDue(1_499)).isFalse();
        assertThat(policy.isDue(1_500)).isTrue();
    }

    @Test
    void onAShortPathAnEighthOfTheRoundTripIsEnough() {
        path.onAccepted(100);
        policy.onAccepted(0, path, 4_000);
        assertThat(policy.deadlineNs()).isEqualTo(500);
    }

    @Test
    @Covers("R-ACK-002")
    void whatIsUrgentDoesNotWait() {
        policy.wantAtOnce();
        assertThat(policy.isDue(0)).isTrue();
    }

    @Test
    @Covers("R-ACK-004")
    void aReportSettlesEverythingBeforeIt() {
        accept(0, 100, 1);
        policy.wantAtOnce();
        policy.reported();
        assertThat(policy.isDue(1_000_000)).isFalse();
        assertThat(policy.deadlineNs()).isEqualTo(Deadline.NEVER);
    }

    private void accept(long nowNs, int bytes, int packets) {
        for (int i = 0; i < packets; i++) {
            path.onAccepted(bytes);
            policy.onAccepted(nowNs, path, RTT_NS);
        }
    }
}
