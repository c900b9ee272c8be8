package io.metaroce.connection;

import static io.metaroce.connection.PathScript.HINT;
import static io.metaroce.connection.PathScript.RTT_NS;
import static io.metaroce.connection.PathScript.SMALL_HINT;
import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.sim.Script.Sent;
import io.metaroce.wire.BaseHeader;
import io.metaroce.wire.ProbeHeader;
import io.metaroce.wire.model.Packet;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Path 0 fails in ways that are seldom: with nobody to borrow from, twice in a row, or only because of congestion. */
class FailedPathScriptTest {
    @Test
    @Covers({"R-HEALTH-004", "R-HEALTH-005", "R-PATH-010", "R-PATH-011", "R-PATH-016"})
    void withNobodyToBorrowFromAFailedPathGoesOnWhereAChallengeIsEchoed() {
        PathScript it = new PathScript(2);
        it.post(20);
        it.script.after(RTT_NS / 2);
        int entropy = it.path(0).entropy();
        // The other path is on its way out of use, so it carries what it has and lends nothing.
        assertThat(it.script.endpoint().parkPath(it.script.nowNs(), it.peer.connectionId(), 1))
                .isTrue();
        assertThat(it.path(1).state()).isEqualTo("DRAINING");
        for (int i = 0; i < 200 && !it.path(0).state().equals("FAILED"); i++) {
            it.script.after(RTT_NS / 4);
            it.answer(1, HINT);
        }
        assertThat(it.path(0).state()).isEqualTo("FAILED");
        it.script.after(RTT_NS);
        int before = it.sentOn(0).size();
        List<Sent> challenges = it.challenges();
        assertThat(challenges).isNotEmpty();
        Sent challenge = challenges.get(challenges.size() - 1);
        assertThat(challenge.route().entropy()).isNotEqualTo(entropy);
        assertThat(((Packet.Probe) challenge.packet()).probeFlags())
                .isEqualTo(ProbeHeader.CHALLENGE | ProbeHeader.PADDED);
        assertThat(challenge.bytes().capacity()).isEqualTo(4096 + 56);
        it.script.after(RTT_NS);
        it.answer(1, HINT);
        assertThat(it.sentOn(0)).as("nothing before the echo").hasSize(before);
        challenges = it.challenges();
        challenge = challenges.get(challenges.size() - 1);
        it.echo(challenge);
        assertThat(it.path(0).state()).isEqualTo("ACTIVE");
        assertThat(it.path(0).borrowed()).isFalse();
        assertThat(it.path(0).epoch()).isEqualTo(1);
        it.script.after(2 * RTT_NS);
        Sent first = it.sentOn(0, 1).get(0);
        assertThat(first.route()).isEqualTo(challenge.route());
        assertThat(first.packet().header().psn()).isEqualTo(it.peer.psn(0, it.delivered(0)));
        assertThat(first.packet().header().flags() & (BaseHeader.R | BaseHeader.A))
                .isEqualTo(BaseHeader.R | BaseHeader.A);
        it.deliver(0, HINT);
        it.complete();
        assertThat(it.app.poll())
                .hasSize(it.posted())
                .allMatch(done -> done.brief().endsWith("SUCCESS"));
    }

    @Test
    @Covers({"R-PATH-014", "R-PATH-016", "R-PATH-011", "R-LOSS-007"})
    void aSecondMoveBeforeTheFirstHasSentEverythingAgainLeavesNoSlotBehind() {
        PathScript it = new PathScript(3);
        it.post(60);
        it.script.after(RTT_NS / 2);
        int unacked = it.slotsOf(0) - it.delivered(0);
        assertThat(unacked).isGreaterThan(6);
        moveAway(it, 1);
        it.script.after(RTT_NS / 4);
        int again = it.sentOn(0, 1).size();
        assertThat(again)
                .as("of %d slots were sent again in the first epoch", unacked)
                .isBetween(1, unacked - 1);
        moveAway(it, 2);
        for (int i = 0; i < 40; i++) {
            it.script.after(RTT_NS / 4);
            it.deliver(1, HINT);
            it.deliver(2, HINT);
            it.answer(0, HINT, it.latestStampOf(0, 1), 1); // late, of the route that was left
            it.answer(0, HINT, it.latestStampOf(0, 0), 0);
        }
        List<Sent> last = it.sentOn(0, 2);
        assertThat(last.size()).isGreaterThanOrEqualTo(unacked);
        for (int i = 0; i < unacked; i++) {
            // Each slot once, in order, and none a second time because of what old routes tell.
            assertThat(last.get(i).packet().header().psn()).isEqualTo(it.peer.psn(0, it.delivered(0) + i));
            assertThat(last.get(i).packet().header().flags() & BaseHeader.R).isNotZero();
        }
        it.deliver(0, HINT);
        it.complete();
        assertThat(it.app.poll())
                .hasSize(it.posted())
                .allMatch(done -> done.brief().endsWith("SUCCESS"));
    }

    /** Path 0 says nothing, the others answer, until it has left into {@code epoch}. */
    private static void moveAway(PathScript it, int epoch) {
        for (int i = 0; i < 200 && it.path(0).epoch() < epoch; i++) {
            it.script.after(RTT_NS / 4);
            it.deliver(1, SMALL_HINT);
            it.deliver(2, SMALL_HINT);
        }
        assertThat(it.path(0).epoch()).isEqualTo(epoch);
    }

    @Test
    @Covers("R-HEALTH-007")
    void lossesAmongMarksFailNobodyAndLossesWithoutThemDo() {
        PathScript it = new PathScript(2);
        int marks = 0;
        for (int i = 0; i < 40; i++) {
            marks += loseOn(it, marks + 1);
        }
        assertThat(it.path(0).lostPackets()).isGreaterThan(16);
        assertThat(it.path(0).epoch()).isZero();
        long lost = it.path(0).lostPackets();
        for (int i = 0; i < 200 && it.path(0).epoch() == 0; i++) {
            int unused = loseOn(it, marks);
        }
        assertThat(it.path(0).epoch()).isEqualTo(1);
        assertThat(it.path(0).lostPackets() - lost).isLessThan(40);
    }

    /** Of what is sent on path 0 nothing but a probe arrives; so many packets were marked by then. */
    private static int loseOn(PathScript it, int marks) {
        it.post(6);
        it.script.after(RTT_NS / 2);
        it.deliver(1, HINT);
        it.script.deliver(it.peer.ack(
                HINT,
                List.of(),
                it.peer
                        .block(0)
                        .cum(it.delivered(0))
                        .echoStamp(it.latestStampOf(0, 0), 0)
                        .rxPackets(1000 + marks)
                        .cePackets(marks)
                        .ackDelay(0xFFFF)));
        it.script.after(RTT_NS / 2);
        return 1;
    }
}
