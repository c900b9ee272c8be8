package io.metaroce.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.engine.ConnectionView;
import io.metaroce.param.EndpointConfig;
import io.metaroce.param.Profiles;
import io.metaroce.queue.WrOpcode;
import io.metaroce.sim.App;
import io.metaroce.sim.App.Range;
import io.metaroce.sim.App.Remote;
import io.metaroce.sim.Script;
import io.metaroce.sim.Script.Sent;
import io.metaroce.sim.ScriptPeer;
import io.metaroce.trace.Counter;
import io.metaroce.wire.ProbeHeader;
import io.metaroce.wire.model.Packet;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** How an endpoint finds out what a packet may carry, challenge by challenge. The handshake takes 10 us. */
class PayloadScriptTest {
    private static final long PTO_NS = 31_000; // a round trip, four times half of it, and the peer's delay
    private static final long S = 1_000_000_000;
    private static final int OVERHEAD_BYTES = 56;

    private final Script script = new Script(config(), 1);
    private final App app = script.app(0, 1 << 20, 64);
    private final ScriptPeer peer = script.connect(script.peer().withoutEchoes(), app);
    private int posted;

    private static EndpointConfig config() {
        EndpointConfig config = Profiles.model();
        return config.withPath(config.path().withPaths(2));
    }

    @Test
    @Covers("R-PATH-027")
    void theAgreedSizeIsAskedForAndLongMessagesWaitForTheAnswer() {
        post(1024);
        post(1025);
        script.after(1_000);
        assertThat(asked()).containsExactly(4096);
        Sent first = challenges().get(0);
        assertThat(((Packet.Probe) first.packet()).probeFlags()).isEqualTo(ProbeHeader.CHALLENGE | ProbeHeader.PADDED);
        assertThat(writes()).containsExactly(1024);
        answer(first);
        script.after(1_000);
        assertThat(writes()).containsExactly(1024, 1025);
        post(10_000);
        script.after(1_000);
        assertThat(writes()).containsExactly(1024, 1025, 4096, 4096, 1808);
        script.after(PTO_NS);
        assertThat(asked()).as("nothing more is asked").containsExactly(4096);
    }

    @Test
    @Covers("R-PATH-027")
    void anEchoOfSomethingElseProvesNothing() {
        post(5000);
        Sent first = challenges().get(0);
        long value = ((Packet.Probe) first.packet()).challenge();
        script.deliver(peer.echo(value ^ 4));
        script.deliver(peer.echo((value & ~3) | 3)); // a size that was never asked for
        script.after(1_000);
        assertThat(writes()).isEmpty();
    }

    @Test
    @Covers("R-PATH-028")
    void threeRoundsInWhichOnlyLessComesBackSettleOnThat() {
        post(5000);
        script.after(PTO_NS + 1_000);
        assertThat(asked()).containsExactly(4096, 4096, 2048, 1024);
        assertThat(challenges().get(1).route())
                .as("on another path")
                .isNotEqualTo(challenges().get(0).route());
        for (int round = 1; round <= 3; round++) {
            assertThat(writes()).as("round %s", round).isEmpty();
            List<Sent> all = challenges();
            answer(all.get(all.size() - 1));
            answer(all.get(all.size() - 2));
            script.after(2 * PTO_NS);
        }
        script.after(4 * PTO_NS);
        assertThat(writes()).containsExactly(2048, 2048, 904);
        assertThat(view().payloadBytes()).isEqualTo(2048);
        assertThat(script.counters().get(Counter.PAYLOAD_REDUCED)).isEqualTo(1);
    }

    @Test
    @Covers("R-PATH-028")
    void whereNothingComesBackTheSmallestSizeIsTakenAfterAWhile() {
        post(1500);
        script.after(20 * PTO_NS);
        assertThat(writes()).isEmpty();
        script.after(2_000 * PTO_NS);
        assertThat(writes()).as("nobody is heard, which says nothing of sizes").isEmpty();
        script.after(70_000 * PTO_NS);
        assertThat(writes()).contains(1024, 476);
    }

    @Test
    @Covers({"R-PATH-030", "R-PATH-031"})
    void aLargerSizeIsLookedForOnEveryPathAfterASecond() {
        settleOn(1024);
        int before = challenges().size();
        script.after(S);
        assertThat(asked().subList(before, asked().size())).containsExactly(2048);
        answer(newest());
        script.after(1_000);
        assertThat(asked().subList(before, asked().size())).containsExactly(2048, 2048);
        assertThat(newest().route()).isNotEqualTo(challenges().get(before).route());
        assertThat(view().payloadBytes()).as("one path has not answered").isEqualTo(1024);
        answer(newest());
        assertThat(view().payloadBytes()).isEqualTo(2048);
        assertThat(script.counters().get(Counter.PAYLOAD_RAISED)).isEqualTo(1);
        post(3000);
        script.after(1_000);
        assertThat(writes()).contains(2048, 952);
    }

    @Test
    @Covers({"R-PATH-030", "R-PATH-031"})
    void whenOnePathDoesNotCarryItTheNextTimeIsLater() {
        settleOn(1024);
        int before = challenges().size();
        script.after(S);
        answer(newest());
        script.after(2 * PTO_NS);
        for (int round = 1; round <= 3; round++) {
            assertThat(payload(newest())).as("round %s", round).isEqualTo(1024);
            answer(newest());
            script.after(2 * PTO_NS);
        }
        int all = 8;
        assertThat(asked().subList(before, asked().size()))
                .as("once on one path, four times on the other, and thrice beside what passes")
                .containsExactly(2048, 2048, 2048, 1024, 2048, 1024, 2048, 1024);
        assertThat(view().payloadBytes()).isEqualTo(1024);
        script.after(S);
        assertThat(challenges()).hasSize(before + all);
        script.after(S);
        assertThat(challenges()).hasSizeGreaterThan(before + all);
    }

    @Test
    @Covers("R-PATH-031")
    void aPeerThatDoesNotAnswerAtAllIsAskedAgainAfterLongerTimes() {
        settleOn(1024);
        int before = challenges().size();
        script.after(S);
        script.after(60 * PTO_NS);
        assertThat(challenges().size() - before).as("each time twice as late").isBetween(7, 11);
        answer(challenges().get(challenges().size() - 2));
        script.after(1_000);
        answer(newest());
        assertThat(view().payloadBytes()).isEqualTo(2048);
    }

    /** Only challenges of this size or less come back. */
    private void settleOn(int bytes) {
        int answered = 0;
        for (int i = 0; i < 40 && view().payloadBytes() != bytes; i++) {
            script.after(PTO_NS / 2);
            List<Sent> all = challenges();
            for (; answered < all.size(); answered++) {
                if (payload(all.get(answered)) <= bytes) {
                    answer(all.get(answered));
                }
            }
        }
        assertThat(view().payloadBytes()).isEqualTo(bytes);
    }

    private void post(int bytes) {
        app.post(posted++, WrOpcode.RDMA_WRITE, new Range(0, bytes), new Remote(1, 0, 0));
        script.go();
    }

    private void answer(Sent challenge) {
        script.deliver(peer.echo(((Packet.Probe) challenge.packet()).challenge()));
    }

    private List<Sent> challenges() {
        List<Sent> found = new ArrayList<>();
        for (Sent sent : script.history()) {
            if (sent.packet() instanceof Packet.Probe probe && (probe.probeFlags() & ProbeHeader.PADDED) != 0) {
                found.add(sent);
            }
        }
        return found;
    }

    private Sent newest() {
        List<Sent> all = challenges();
        return all.get(all.size() - 1);
    }

    private List<Integer> asked() {
        return challenges().stream().map(PayloadScriptTest::payload).toList();
    }

    private static int payload(Sent challenge) {
        return challenge.bytes().capacity() - OVERHEAD_BYTES;
    }

    /** Payloads of the slots opened so far. */
    private List<Integer> writes() {
        List<Integer> found = new ArrayList<>();
        for (Sent sent : script.history()) {
            if (sent.packet() instanceof Packet.Write write && (write.header().flags() & 4) == 0) {
                found.add(write.payload().length());
            }
        }
        return found;
    }

    private ConnectionView view() {
        return Objects.requireNonNull(script.endpoint().view(peer.connectionId()));
    }
}
