package io.metaroce.connection;

import static io.metaroce.connection.PathScript.HINT;
import static io.metaroce.connection.PathScript.RTT_NS;
import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.engine.PathView;
import io.metaroce.sim.Script.Sent;
import io.metaroce.trace.Counter;
import io.metaroce.wire.BaseHeader;
import io.metaroce.wire.Opcode;
import io.metaroce.wire.ProbeHeader;
import io.metaroce.wire.model.Packet;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Nothing comes from the peer any more, or next to nothing. */
class StallScriptTest {
    private static final long MS = 1_000_000;
    private static final int STEPS = 11; // each a quarter later than the one before, from 1 ms to less than 32 ms

    @Test
    @Covers({"R-HEALTH-012", "R-HEALTH-003"})
    void whileEverythingIsSilentOnePathPerPlaneIsAsked() {
        PathScript it = stalled();
        it.script.after(MS);
        long fromNs = it.script.nowNs();
        it.script.after(31 * MS);
        List<Sent> questions = new ArrayList<>();
        int slots = 0;
        for (Sent sent : it.script.history()) {
            if (sent.atNs() < fromNs) {
                continue;
            }
            if (isQuestion(sent)) {
                questions.add(sent);
            } else if (Opcode.isSlot(sent.packet().opcode())
                    && (sent.packet().header().flags() & BaseHeader.R) != 0) {
                slots++;
            }
        }
        // A slot on each plane and step, the question before it, and one that follows it.
        assertThat(slots).isBetween(2 * (STEPS - 1), 2 * (STEPS + 1));
        assertThat(questions).hasSizeBetween(2 * (STEPS - 1), 4 * (STEPS + 1));
        for (int plane = 0; plane < 2; plane++) {
            int k = plane;
            assertThat(questions.stream()
                            .filter(sent -> sent.route().plane() == k)
                            .map(sent -> sent.packet().header().pathId())
                            .distinct()
                            .count())
                    .isGreaterThan(2);
        }
        assertThat(it.script.counters().get(Counter.PATHS_REBOUND)).isZero();
    }

    @Test
    @Covers({"R-HEALTH-013", "R-HEALTH-005", "R-PATH-016"})
    void whenOnlyAChallengeIsEchoedAllThatWaitMoveThere() {
        PathScript it = stalled();
        it.script.after(MS);
        for (PathView path : it.paths()) {
            assertThat(path.epoch()).isZero();
        }
        List<Sent> challenges = it.challenges();
        Sent challenge = challenges.get(challenges.size() - 1);
        it.echo(challenge);
        it.script.after(RTT_NS);
        for (PathView path : it.paths()) {
            assertThat(path.epoch()).as("path %d", path.id()).isEqualTo(1);
            assertThat(path.plane()).isEqualTo(challenge.route().plane());
            assertThat(path.entropy()).isEqualTo(challenge.route().entropy());
            assertThat(it.sentOn(path.id(), 1)).isNotEmpty();
            it.deliver(path.id(), HINT);
        }
        it.complete();
        assertThat(it.app.poll())
                .hasSize(it.posted())
                .allMatch(done -> done.brief().endsWith("SUCCESS"));
    }

    @Test
    @Covers("R-HEALTH-011")
    void whileNearlyEverythingIsSilentNoPlaneIsTakenForLostAtOnce() {
        PathScript it = new PathScript(8, 4);
        long suspectedNs = silenceBut(it, path -> path == 0);
        long timeoutNs = 3 * it.path(0).srttNs() / 2;
        long leftNs = leftNs(it, path -> path == 0);
        assertThat(leftNs - suspectedNs).isGreaterThanOrEqualTo(2 * timeoutNs);
        for (PathView path : it.paths()) {
            assertThat(path.plane()).isZero();
        }
    }

    @Test
    @Covers("R-HEALTH-011")
    void aPlaneThatIsSilentAloneIsLeftAtOnce() {
        PathScript it = new PathScript(8, 4);
        long suspectedNs = silenceBut(it, path -> path % 4 != 3);
        long leftNs = leftNs(it, path -> path % 4 != 3);
        assertThat(leftNs - suspectedNs).isLessThan(RTT_NS);
        for (PathView path : it.paths()) {
            assertThat(path.plane()).isNotEqualTo(3);
        }
    }

    // ---- the small print

    /** Which paths the peer answers on. */
    private interface Answering {
        boolean on(int path);
    }

    /** Four paths on each of two planes, all with slots under way. */
    private static PathScript stalled() {
        PathScript it = new PathScript(8, 2);
        it.post(60);
        it.script.after(RTT_NS);
        for (PathView path : it.paths()) {
            assertThat(it.slotsOf(path.id())).isGreaterThan(it.delivered(path.id()));
        }
        return it;
    }

    /** Until several paths are suspect; when that was. */
    private static long silenceBut(PathScript it, Answering answering) {
        it.post(60);
        for (int i = 0; i < 100 && it.script.counters().get(Counter.PATHS_SUSPECTED) < 2; i++) {
            tick(it, answering);
        }
        assertThat(it.script.counters().get(Counter.PATHS_SUSPECTED)).isGreaterThanOrEqualTo(2);
        return it.script.nowNs();
    }

    /** When the first path leaves; then goes on until all have. */
    private static long leftNs(PathScript it, Answering answering) {
        for (int i = 0; i < 400 && it.script.counters().get(Counter.PATHS_REBOUND) == 0; i++) {
            tick(it, answering);
        }
        long leftNs = it.script.nowNs();
        for (int i = 0; i < 40; i++) {
            tick(it, answering);
        }
        return leftNs;
    }

    private static void tick(PathScript it, Answering answering) {
        it.post(1);
        it.script.after(RTT_NS / 8);
        for (PathView path : it.paths()) {
            if (answering.on(path.id())) {
                it.deliver(path.id(), HINT);
            }
        }
    }

    private static boolean isQuestion(Sent sent) {
        return sent.packet() instanceof Packet.Probe probe && (probe.probeFlags() & ProbeHeader.IN_PATH) != 0;
    }
}
