package io.metaroce.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.param.EndpointConfig;
import io.metaroce.param.Profiles;
import io.metaroce.sim.App;
import io.metaroce.sim.Script;
import io.metaroce.sim.Script.Sent;
import io.metaroce.sim.ScriptPeer;
import io.metaroce.wire.Opcode;
import io.metaroce.wire.ProbeHeader;
import io.metaroce.wire.model.Bytes;
import io.metaroce.wire.model.Packet;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** An endpoint on two planes, two paths on each, that only acknowledges: does it ask whether anybody hears it? */
class SilentWaysScriptTest {
    private static final long MS = 1_000_000;
    private static final long RTT_NS = 10_000;
    private static final long TICK_NS = 5_000;
    private final Script script = new Script(fourPaths(), 9, 2);
    private final App app = script.app(0, 1 << 16, 16);
    private final ScriptPeer peer = script.connect(app);
    private int slots;
    private int answered; // of the history

    @Test
    @Covers("R-ACK-010")
    void whileSlotsComeEachPlaneIsAskedOncePerMillisecondOnOnePathAfterTheOther() {
        run(10 * MS + MS / 2, 0b11);
        List<Sent> first = questionsOn(0);
        List<Sent> second = questionsOn(1);
        assertThat(first).hasSizeBetween(8, 10);
        assertThat(second).hasSameSizeAs(first);
        for (List<Sent> one : List.of(first, second)) {
            assertThat(one.get(1).atNs() - one.get(0).atNs()).isBetween(MS, MS + MS / 5);
            assertThat(one.stream().map(sent -> sent.packet().header().pathId()).distinct())
                    .hasSize(2);
        }
    }

    @Test
    @Covers("R-ACK-010")
    void withoutSlotsNobodyIsAsked() {
        script.after(10 * MS);
        assertThat(questionsOn(0)).isEmpty();
        run(MS / 2, 0b11);
        script.after(20 * MS);
        // Nobody has answered, so a third one was asked in vain; and there it ends.
        assertThat(questionsOn(0).size() + questionsOn(1).size()).isEqualTo(3);
    }

    @Test
    @Covers("R-ACK-010")
    void aPlaneWhoseQuestionsStayUnansweredCarriesNoMoreReports() {
        run(2 * MS + MS / 2, 0b11);
        run(2 * MS, 0b01);
        long movedNs = script.nowNs();
        run(MS, 0b01);
        List<Sent> reports = new ArrayList<>();
        for (Sent sent : script.history()) {
            if (sent.atNs() > movedNs && sent.packet().opcode() == Opcode.ACK) {
                reports.add(sent);
            }
        }
        assertThat(reports).isNotEmpty().allMatch(sent -> sent.route().plane() == 0);
    }

    @Test
    @Covers({"R-ACK-010", "R-HEALTH-003"})
    void whenNobodyAnswersNothingIsMoved() {
        run(5 * MS, 0);
        for (Sent sent : script.history()) {
            assertThat(sent.packet().header().pathEpoch()).isZero();
        }
        assertThat(questionsOn(1)).isNotEmpty();
    }

    @Test
    @Covers("R-ACK-015")
    void aReportWhosePlaneTakesNothingTakesAnotherWithoutBeingRemindedOfIt() {
        script.deliver(peer.craft(slot())).after(RTT_NS);
        int last = lastReport().route().plane();
        script.room(1 << last).deliver(peer.craft(slot()));
        long fromNs = script.nowNs();
        script.after(MS / 2);
        assertThat(lastReport().route().plane()).isEqualTo(last);
        assertThat(lastReport().atNs() - fromNs).isBetween(RTT_NS / 8, RTT_NS / 8 + RTT_NS / 4 + 1);
    }

    private Sent lastReport() {
        Sent last = null;
        for (Sent sent : script.history()) {
            last = sent.packet().opcode() == Opcode.ACK ? sent : last;
        }
        return Objects.requireNonNull(last);
    }

    /** For so long the peer sends a slot every five microseconds and answers what is asked on some planes. */
    private void run(long ns, int answering) {
        long end = script.nowNs() + ns;
        while (script.nowNs() < end) {
            script.after(TICK_NS);
            List<Sent> history = script.history();
            for (; answered < history.size() && history.get(answered).atNs() < script.nowNs(); answered++) {
                Sent sent = history.get(answered);
                if (isQuestion(sent) && ((answering >>> sent.route().plane()) & 1) != 0) {
                    Packet.Header asked = sent.packet().header();
                    script.deliver(peer.ack(peer.block(asked.pathId())
                            .cum(0)
                            .echoStamp(asked.txStamp(), asked.pathEpoch())
                            .rxPackets(1)));
                }
            }
            script.deliver(peer.craft(slot()));
        }
    }

    private Packet.Write slot() {
        int msn = slots++;
        Packet.Message message = new Packet.Message(0, 0, 0, 0, msn, 0);
        return new Packet.Write(
                peer.slotHeader(0, msn, 0),
                message,
                app.region().key(),
                1,
                app.region().base(),
                List.of(),
                Bytes.of(new byte[] {1}));
    }

    private List<Sent> questionsOn(int plane) {
        List<Sent> questions = new ArrayList<>();
        for (Sent sent : script.history()) {
            if (isQuestion(sent) && sent.route().plane() == plane) {
                questions.add(sent);
            }
        }
        return questions;
    }

    private static boolean isQuestion(Sent sent) {
        return sent.packet() instanceof Packet.Probe probe && (probe.probeFlags() & ProbeHeader.IN_PATH) != 0;
    }

    private static EndpointConfig fourPaths() {
        EndpointConfig config = Profiles.model();
        return config.withPath(config.path().withPaths(4));
    }
}
