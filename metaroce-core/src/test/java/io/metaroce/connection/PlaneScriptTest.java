package io.metaroce.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.num.Minifloat;
import io.metaroce.param.EndpointConfig;
import io.metaroce.param.Profiles;
import io.metaroce.queue.WrOpcode;
import io.metaroce.sim.App;
import io.metaroce.sim.App.Range;
import io.metaroce.sim.App.Remote;
import io.metaroce.sim.Script;
import io.metaroce.sim.Script.Sent;
import io.metaroce.sim.ScriptPeer;
import io.metaroce.wire.BaseHeader;
import io.metaroce.wire.Opcode;
import io.metaroce.wire.ProbeHeader;
import io.metaroce.wire.model.Packet;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Two planes, two paths on each, and a peer that is told what to say about them. */
class PlaneScriptTest {
    private static final long RTT_NS = 10_000;
    private static final int HINT = Minifloat.encodeHint(40_000_000_000L);
    private static final int BOTH = 0b11;
    private static final int FIRST = 0b01;
    private final Script script = new Script(fourPaths(), 4, 2);
    private final App app = script.app(0, 1 << 20, 256);
    private final ScriptPeer peer = script.connect(script.peer().withoutEchoes(), app);
    private int posted;

    @Test
    @Covers("R-PLANE-006")
    void noSlotGoesToAnAddressBeforeItHasAnsweredItsChallenge() {
        post(20);
        script.after(RTT_NS);
        assertThat(slotsOn(0)).isPositive();
        assertThat(slotsOn(1)).isZero();
        deliverEcho(challengeOn(1) + 1);
        post(20);
        script.after(RTT_NS);
        assertThat(slotsOn(1)).isZero();
        deliverEcho(challengeOn(1));
        post(20);
        script.after(RTT_NS);
        assertThat(slotsOn(1)).isPositive();
    }

    @Test
    @Covers("R-PLANE-006")
    void anAddressThatNeverAnswersIsAskedOnAndItsPathsWorkElsewhere() {
        script.after(100 * RTT_NS);
        post(40);
        assertThat(slotsOn(1)).isZero();
        assertThat(slotsOfPath(1)).isPositive();
        assertThat(sentOn(1)).hasSizeGreaterThan(4).allMatch(PlaneScriptTest::isChallenge);
    }

    @Test
    @Covers({"R-PLANE-003", "R-ACK-006", "R-PATH-010", "R-PATH-016"})
    void aPlaneThePeerCannotReceiveOnIsLeftAtOnce() {
        bothPlanesWork();
        post(20);
        script.after(RTT_NS / 10);
        int slotsOnIt = slotsOn(1);
        assertThat(slotsOnIt).isPositive();
        Packet.Header older = peer.reportHeader();
        script.forget().deliver(report(peer.reportHeader(), FIRST));
        script.deliver(report(older, BOTH)); // overtaken: it changes nothing
        post(20);
        script.after(RTT_NS);
        assertThat(slotsOn(1)).isEqualTo(slotsOnIt);
        List<Sent> again = new ArrayList<>();
        for (Sent sent : script.history()) {
            if (isSlot(sent) && sent.packet().header().pathEpoch() == 1) {
                again.add(sent);
            }
        }
        assertThat(again).isNotEmpty().allMatch(sent -> sent.route().plane() == 0);
        assertThat(again.get(0).packet().header().flags() & BaseHeader.R).isNotZero();
    }

    @Test
    @Covers("R-PLANE-003")
    void newsOfPlanesAreAsGoodAsAnAcknowledgement() {
        bothPlanesWork();
        script.deliver(peer.craft(new Packet.PlaneStatus(peer.reportHeader(), FIRST, 0b10, List.of())));
        int slotsOnIt = slotsOn(1);
        post(40);
        script.after(RTT_NS);
        assertThat(slotsOn(1)).isEqualTo(slotsOnIt);
    }

    @Test
    @Covers({"R-ACK-005", "R-ACK-009", "R-PLANE-003"})
    void anOwnPortThatIsLostIsToldOnThreeRoutesThreeTimesAndUsedNoMore() {
        bothPlanesWork();
        script.forget();
        int before = sentOn(1).size();
        script.endpoint().planeDown(script.nowNs(), 1);
        script.go().after(10 * RTT_NS);
        List<Sent> news = new ArrayList<>();
        for (Sent sent : script.history()) {
            if (sent.packet() instanceof Packet.PlaneStatus told) {
                assertThat(told.planeUp()).isEqualTo(FIRST);
                assertThat(told.changed()).isEqualTo(0b10);
                news.add(sent);
            }
        }
        assertThat(news).hasSize(9);
        assertThat(news.get(0).route()).isNotEqualTo(news.get(1).route());
        assertThat(news.get(0).atNs()).isEqualTo(news.get(2).atNs());
        assertThat(news.get(3).atNs() - news.get(0).atNs()).isGreaterThan(RTT_NS / 2);
        Packet.Ack ack = null;
        for (Sent sent : script.history()) {
            ack = sent.packet() instanceof Packet.Ack told ? told : ack;
        }
        assertThat(ack).isNotNull().extracting(Packet.Ack::planeUp).isEqualTo(FIRST);
        post(40);
        script.after(RTT_NS);
        assertThat(sentOn(1)).hasSize(before);
    }

    @Test
    @Covers("R-PATH-026")
    void thoseThatLeaveAPlaneTestRoutesOfTheirOwnAFewPerRoundTrip() {
        EndpointConfig config = Profiles.model();
        Script many = new Script(config.withPath(config.path().withPaths(64)), 4, 2);
        ScriptPeer other = many.connect(many.app(0, 1 << 20, 256));
        many.after(10 * RTT_NS).forget();
        long lostAtNs = many.nowNs();
        many.deliver(other.craft(new Packet.PlaneStatus(other.reportHeader(), FIRST, 0b10, List.of())));
        many.after(20 * RTT_NS);
        List<Long> asked = new ArrayList<>();
        boolean[] hasAsked = new boolean[64]; // nobody answers, so each asks again
        for (Sent sent : many.history()) {
            boolean isLater = isChallenge(sent) && sent.atNs() >= lostAtNs;
            if (isLater && !hasAsked[sent.packet().header().pathId()]) {
                hasAsked[sent.packet().header().pathId()] = true;
                asked.add(sent.atNs());
            }
        }
        assertThat(asked).hasSize(32);
        long rttNs = Objects.requireNonNull(many.endpoint().view(other.connectionId()))
                .paths()
                .get(0)
                .srttNs();
        for (int i = 4; i < asked.size(); i++) {
            assertThat(asked.get(i) - asked.get(i - 4)).isGreaterThanOrEqualTo(rttNs);
        }
    }

    // ---- the small print

    private void bothPlanesWork() {
        script.after(1_000);
        deliverEcho(challengeOn(1));
        post(20);
        script.after(1_000);
        assertThat(slotsOn(1)).isPositive();
        script.deliver(report(peer.reportHeader(), BOTH));
    }

    private ScriptPeer.Crafted report(Packet.Header header, int planeUp) {
        return peer.craft(new Packet.Ack(header, HINT, planeUp, 0, 0, List.of(), List.of(), List.of()));
    }

    private void deliverEcho(long challenge) {
        script.deliver(peer.echo(challenge));
    }

    private void post(int messages) {
        for (int i = 0; i < messages; i++) {
            app.post(posted++, WrOpcode.RDMA_WRITE, new Range(0, 100), new Remote(1, 0, 0));
        }
        script.go();
    }

    private long challengeOn(int plane) {
        long challenge = 0;
        for (Sent sent : sentOn(plane)) {
            challenge =
                    sent.packet() instanceof Packet.Probe probe && isChallenge(sent) ? probe.challenge() : challenge;
        }
        return challenge;
    }

    private List<Sent> sentOn(int plane) {
        List<Sent> sent = new ArrayList<>();
        for (Sent one : script.history()) {
            if (one.route().plane() == plane) {
                sent.add(one);
            }
        }
        return sent;
    }

    private int slotsOn(int plane) {
        return (int) sentOn(plane).stream().filter(PlaneScriptTest::isSlot).count();
    }

    private int slotsOfPath(int path) {
        return (int) script.history().stream()
                .filter(sent -> isSlot(sent) && sent.packet().header().pathId() == path)
                .count();
    }

    private static boolean isSlot(Sent sent) {
        return Opcode.isSlot(sent.packet().opcode());
    }

    private static boolean isChallenge(Sent sent) {
        return sent.packet() instanceof Packet.Probe probe && (probe.probeFlags() & ProbeHeader.CHALLENGE) != 0;
    }

    private static EndpointConfig fourPaths() {
        EndpointConfig config = Profiles.model();
        return config.withPath(config.path().withPaths(4));
    }
}
