package io.metaroce.path;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.datagram.Address;
import io.metaroce.datagram.Route;
import io.metaroce.num.Deadline;
import org.junit.jupiter.api.Test;

class CandidateTest {
    private static final Route ONE = new Route(0, 7, Address.ipv4(1, 1));
    private static final Route TWO = new Route(0, 8, Address.ipv4(1, 1));
    private static final long TIMEOUT_NS = 20_000;
    private static final long RTT_NS = 10_000;
    private final Candidate candidate = new Candidate();

    @Test
    @Covers("R-HEALTH-004")
    void theIntervalsDoubleUpToASecond() {
        long nowNs = 0;
        for (int i = 0; i < 25; i++) {
            candidate.test(ONE, i);
            assertThat(candidate.isUnsent()).isTrue();
            candidate.sent(nowNs, TIMEOUT_NS);
            long waitNs = Math.min(TIMEOUT_NS << i, 1_000_000_000);
            assertThat(candidate.deadlineNs()).isEqualTo(nowNs + waitNs);
            assertThat(candidate.isMissed(nowNs + waitNs - 1)).isFalse();
            nowNs += waitNs;
            assertThat(candidate.isMissed(nowNs)).isTrue();
        }
        candidate.sent(nowNs, 100_000_000);
        assertThat(candidate.deadlineNs()).isEqualTo(nowNs + 1_000_000_000);
    }

    @Test
    @Covers("R-HEALTH-004")
    void onlyTheNewestChallengeCounts() {
        candidate.test(ONE, 1);
        assertThat(candidate.onEcho(0, 1, RTT_NS)).isFalse(); // not even sent
        candidate.sent(0, TIMEOUT_NS);
        candidate.test(TWO, 2);
        candidate.sent(TIMEOUT_NS, TIMEOUT_NS);
        assertThat(candidate.onEcho(TIMEOUT_NS, 1, RTT_NS)).isFalse();
        assertThat(candidate.onEcho(TIMEOUT_NS + 9_000, 2, RTT_NS)).isTrue();
        assertThat(candidate.state()).isEqualTo(CandidateState.VALID);
        assertThat(candidate.sampleNs()).isEqualTo(9_000);
        assertThat(candidate.onEcho(TIMEOUT_NS + 9_000, 2, RTT_NS)).isFalse();
    }

    @Test
    void anAnswerIsReliedOnForEightRoundTripsAndTenMilliseconds() {
        answered(RTT_NS);
        assertThat(candidate.expire(9_999_999, 3)).isFalse();
        assertThat(candidate.expire(10_000_000, 3)).isTrue();
        assertThat(candidate.state()).isEqualTo(CandidateState.PROBING);
        assertThat(candidate.route()).isEqualTo(ONE);
        assertThat(candidate.isUnsent()).isTrue();
        candidate.done();
        assertThat(candidate.deadlineNs()).isEqualTo(Deadline.NEVER);
        answered(2_000_000);
        assertThat(candidate.expire(15_999_999, 3)).isFalse();
        assertThat(candidate.expire(16_000_000, 3)).isTrue();
    }

    @Test
    @Covers("R-HEALTH-004")
    void aChallengeThatHasNotLeftIsNotMissed() {
        candidate.test(ONE, 1);
        candidate.sent(0, TIMEOUT_NS);
        assertThat(candidate.isUnsent()).isFalse();
        candidate.test(TWO, 2);
        assertThat(candidate.challenge()).isEqualTo(2);
        assertThat(candidate.isUnsent()).isTrue();
        assertThat(candidate.deadlineNs()).isEqualTo(Deadline.NEVER);
        assertThat(candidate.isMissed(10 * TIMEOUT_NS)).isFalse();
    }

    @Test
    void whoWantsNoOtherRouteAnyMoreForgetsTheTestAndBeginsTheNextOneAtOnce() {
        candidate.test(ONE, 1);
        candidate.sent(0, TIMEOUT_NS);
        candidate.test(TWO, 2);
        candidate.sent(TIMEOUT_NS, TIMEOUT_NS);
        candidate.done();
        assertThat(candidate.state()).isEqualTo(CandidateState.NONE);
        assertThat(candidate.route()).isNull();
        assertThat(candidate.deadlineNs()).isEqualTo(Deadline.NEVER);
        assertThat(candidate.onEcho(TIMEOUT_NS, 2, RTT_NS)).isFalse();
        candidate.test(ONE, 3);
        candidate.done();
        assertThat(candidate.isUnsent()).as("nothing is left to be sent").isFalse();
        candidate.done();
        assertThat(candidate.state()).isEqualTo(CandidateState.NONE);
        candidate.test(ONE, 4);
        candidate.sent(0, TIMEOUT_NS);
        assertThat(candidate.deadlineNs()).as("no back-off").isEqualTo(TIMEOUT_NS);
    }

    private void answered(long rttNs) {
        candidate.test(ONE, 1);
        candidate.sent(0, TIMEOUT_NS);
        assertThat(candidate.onEcho(0, 1, rttNs)).isTrue();
    }
}
