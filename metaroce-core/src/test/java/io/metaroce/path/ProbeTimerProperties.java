package io.metaroce.path;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.num.Deadline;
import io.metaroce.param.PathConfig;
import io.metaroce.param.Profiles;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** The two timers, against two plain instants and a count. */
class ProbeTimerProperties {
    private static final long PEER_DELAY_NS = 1_000;

    private enum Op {
        SEND_LAST,
        SEND_MORE,
        TROUBLE,
        PROBE,
        EVIDENCE,
        NOTHING_LEFT,
        TAKE
    }

    private record Step(Op op, int afterNs, int rttNs) {}

    @Provide
    Arbitrary<List<Step>> steps() {
        return Combinators.combine(
                        Arbitraries.of(Op.values()),
                        Arbitraries.integers().between(0, 40_000),
                        Arbitraries.integers().between(1, 50_000))
                .as(Step::new)
                .list()
                .ofMaxSize(80);
    }

    @Property(tries = 500)
    @Covers({"R-LOSS-004", "R-LOSS-008", "R-LOSS-010"})
    void agreesWithTwoInstantsAndACount(@ForAll("steps") List<Step> steps) {
        PathConfig config = Profiles.model().path();
        PathRow row = Rows.withRtt(8_000);
        ProbeTimer timer = new ProbeTimer(config);
        long now = 1_000;
        long flush = Deadline.NEVER;
        long timeout = Deadline.NEVER;
        int inARow = 0;
        int wary = 0;
        for (Step step : steps) {
            now += step.afterNs();
            RttEstimator.onSample(now, row, step.rttNs());
            long plain = plainNs(config, row);
            switch (step.op()) {
                case SEND_LAST, SEND_MORE -> {
                    boolean last = step.op() == Op.SEND_LAST;
                    long waits = Math.min(plain << inARow, config.timeoutMaxNs());
                    timer.onSlotSent(now, row, PEER_DELAY_NS, last ? Tail.LAST : Tail.MORE_COMES);
                    flush = now + Math.max(wary > 0 ? soonNs(row, last) : dueNs(row), config.flushFloorNs());
                    wary = Math.max(wary - 1, 0);
                    timeout = now + waits;
                }
                case TROUBLE -> {
                    timer.onTrouble();
                    wary = 1024;
                }
                case PROBE -> {
                    timer.onProbeSent(row);
                    flush = Deadline.NEVER;
                }
                case EVIDENCE -> {
                    timer.onEvidence(now, row, PEER_DELAY_NS);
                    inARow = 0;
                    timeout = now + plain;
                }
                case NOTHING_LEFT -> {
                    timer.onNothingInFlight(row);
                    flush = Deadline.NEVER;
                    timeout = Deadline.NEVER;
                }
                case TAKE -> {
                    ProbeTimer.Due due = timer.take(now, row);
                    if (now >= timeout) {
                        assertThat(due).isEqualTo(ProbeTimer.Due.TIMEOUT);
                        inARow = Math.min(inARow + 1, 16);
                        assertThat(timer.expired(now, row, PEER_DELAY_NS)).isEqualTo(inARow);
                        timeout = now + Math.min(plain << inARow, config.timeoutMaxNs());
                    } else if (now >= flush) {
                        assertThat(due).isEqualTo(ProbeTimer.Due.FLUSH);
                        flush = Deadline.NEVER;
                    } else {
                        assertThat(due).isEqualTo(ProbeTimer.Due.NOTHING);
                    }
                }
            }
            assertThat(timer.deadlineNs(row)).isEqualTo(Math.min(flush, timeout));
            assertThat(timer.inARow(row)).isEqualTo(inARow);
        }
    }

    private static long soonNs(PathRow row, boolean last) {
        return last ? RttEstimator.smoothedNs(row) / 4 : RttEstimator.smoothedNs(row);
    }

    private static long dueNs(PathRow row) {
        long spread = Math.max(2 * RttEstimator.variationNs(row), RttEstimator.smoothedNs(row) / 8);
        return RttEstimator.smoothedNs(row) + spread + PEER_DELAY_NS;
    }

    private static long plainNs(PathConfig config, PathRow row) {
        long bySpread =
                RttEstimator.smoothedNs(row) + Math.max(4 * RttEstimator.variationNs(row), 1_000) + PEER_DELAY_NS;
        long atLeast = Math.max(Math.max(bySpread, 3 * RttEstimator.smoothedNs(row) / 2), config.timeoutFloorNs());
        return Math.min(atLeast, config.timeoutMaxNs());
    }
}
