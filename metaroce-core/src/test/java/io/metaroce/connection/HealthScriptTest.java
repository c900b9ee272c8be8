package io.metaroce.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.engine.PathView;
import io.metaroce.num.Minifloat;
import io.metaroce.num.Serial32;
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
import io.metaroce.wire.BaseHeader;
import io.metaroce.wire.Opcode;
import io.metaroce.wire.ProbeHeader;
import io.metaroce.wire.Tlv;
import io.metaroce.wire.model.Bytes;
import io.metaroce.wire.model.Packet;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two paths; path 0 falls silent, path 1 goes on. */
class HealthScriptTest {
    private static final long RTT_NS = 10_000;
    private static final int HINT = Minifloat.encodeHint(40_000_000_000L);
    private final Script script = new Script(twoPaths(), 3);
    private final App app = script.app(0, 1 << 20, 256);
    private final ScriptPeer peer = script.connect(app);
    private int posted;
    private final int[] delivered = new int[2]; // slots of each path that the peer has acknowledged

    @BeforeEach
    void bothPathsDeliver() {
        script.after(100_000).forget();
        for (int i = 0; i < 12; i++) {
            post(4);
            script.after(RTT_NS);
            deliver(0);
            deliver(1);
        }
        script.after(10 * RTT_NS).forget();
        assertThat(path(0).state()).isEqualTo("ACTIVE");
        assertThat(script.counters().get(Counter.PATHS_SUSPECTED)).isZero();
    }

    @Test
    @Covers("R-HEALTH-001")
    void aSilentPathIsAskedAtOnceAndGetsNothingNew() {
        fallSilent();
        assertThat(path(0).state()).isEqualTo("SUSPECT");
        script.expectAmong(peer.probe(0));
        int slots = slotsOf(0);
        post(20);
        goOnWithPathOne(4);
        assertThat(slotsOf(0)).isEqualTo(slots);
        assertThat(slotsOf(1)).isGreaterThan(10);
    }

    @Test
    @Covers("R-HEALTH-002")
    void evidenceDuringTheConfirmationEndsTheSuspicion() {
        fallSilent();
        for (int i = 0; i < 30; i++) {
            script.after(RTT_NS / 2);
            deliverUnackedOf(0); // answers to probes alone would mean that all slots are lost
            goOnWithPathOne(1);
            assertThat(path(0).epoch()).isZero();
        }
        assertThat(path(0).state()).isEqualTo("ACTIVE");
        assertThat(script.counters().get(Counter.PATHS_REBOUND)).isZero();
    }

    @Test
    @Covers({"R-HEALTH-002", "R-HEALTH-003"})
    void withoutAnybodyDeliveringNothingIsConfirmed() {
        fallSilent();
        script.after(3_000_000_000L);
        assertThat(script.counters().get(Counter.PATHS_REBOUND)).isZero();
        assertThat(path(0).epoch()).isZero();
        assertThat(path(1).state()).isEqualTo("ACTIVE");
        // The peer comes back, and everything goes on without an error.
        answerProbe();
        assertThat(path(0).state()).isEqualTo("ACTIVE");
        deliverUnackedOf(0);
        deliver(1);
        script.deliver(peer.ack(HINT, List.of(ScriptPeer.update(0, posted, 0))));
        assertThat(app.poll()).hasSize(posted).allMatch(done -> done.brief().endsWith("SUCCESS"));
    }

    @Test
    @Covers({"R-PATH-017", "R-PATH-016", "R-PATH-010", "R-PATH-011", "R-PATH-007", "R-LOSS-002"})
    void aConfirmedPathBorrowsTheRouteOfTheHealthyOneAndResendsBeforeAnythingNew() {
        fallSilent();
        post(40);
        int unacked = slotsOf(0) - delivered[0];
        int entropy = path(1).entropy();
        int stamp = latestStampOf(0);
        script.forget();
        for (int i = 0; i < 40 && path(0).epoch() == 0; i++) {
            goOnWithPathOne(1);
        }
        assertThat(path(0).epoch()).isEqualTo(1);
        assertThat(path(0).borrowed()).isTrue();
        assertThat(path(0).entropy()).isEqualTo(entropy);
        assertThat(path(0).state()).isEqualTo("ACTIVE");
        script.after(2 * RTT_NS);
        List<Sent> afterwards = new ArrayList<>();
        for (Sent sent : script.history()) {
            if (isSlotOf(0, sent) && sent.packet().header().pathEpoch() == 1) {
                afterwards.add(sent);
            }
        }
        assertThat(afterwards).hasSizeGreaterThanOrEqualTo(unacked);
        for (int i = 0; i < unacked; i++) {
            Packet.Header header = afterwards.get(i).packet().header();
            assertThat(header.psn()).isEqualTo(peer.psn(0, delivered[0] + i));
            assertThat(header.flags() & BaseHeader.R).isNotZero();
            assertThat((header.flags() & BaseHeader.A) != 0).isEqualTo(i == 0);
            assertThat(Serial32.isAfter(header.txStamp(), stamp)).isTrue();
            assertThat(afterwards.get(i).route().entropy()).isEqualTo(entropy);
            stamp = header.txStamp();
        }
    }

    @Test
    @Covers({"R-PATH-008", "R-PATH-023"})
    void aPayloadStaysInItsSlotWhateverBecomesOfThePath() {
        fallSilent();
        for (int i = 0; i < 40 && path(0).epoch() == 0; i++) {
            goOnWithPathOne(1);
        }
        script.after(100 * RTT_NS); // timeouts on both paths
        TreeMap<Integer, String> slotOfMessage = new TreeMap<>();
        TreeMap<String, Packet.Write> firstOfSlot = new TreeMap<>();
        int resent = 0;
        for (Sent sent : script.history()) {
            if (sent.packet() instanceof Packet.Write write) {
                String slot = write.header().pathId() + ":" + write.header().psn();
                String before = slotOfMessage.putIfAbsent(write.message().msn(), slot);
                assertThat(before).isIn(null, slot);
                Packet.Write first = firstOfSlot.putIfAbsent(slot, write);
                if (first != null) {
                    resent++;
                    assertThat(write.message().msn()).isEqualTo(first.message().msn());
                    assertThat(write.payload()).isEqualTo(first.payload());
                    assertThat(write.remoteAddress()).isEqualTo(first.remoteAddress());
                }
            }
        }
        assertThat(resent).isPositive();
        assertThat(slotOfMessage).hasSizeGreaterThan(50);
    }

    @Test
    @Covers({"R-PATH-020", "R-LOSS-007"})
    void aLateReportOfTheOldEpochReleasesWhatIsQueued() {
        fallSilent();
        script.deliver(peer.ack(Minifloat.HINT_PAUSE, List.of())); // so that the queue stays for a while
        for (int i = 0; i < 40 && path(0).epoch() == 0; i++) {
            script.after(RTT_NS / 2);
            answerProbeOf(1);
        }
        assertThat(path(0).epoch()).isEqualTo(1);
        int sent = slotsOf(0);
        script.deliver(peer.ack(
                Minifloat.HINT_PAUSE, List.of(), peer.block(0).cum(sent).echoStamp(stampOf(0, sent - 1), 0)));
        script.forget().deliver(peer.ack(HINT, List.of()));
        script.after(RTT_NS);
        assertThat(script.history())
                .noneMatch(one -> isSlotOf(0, one) && one.packet().header().pathEpoch() == 1);
    }

    @Test
    @Covers("R-PATH-021")
    void theFirstReportOfTheNewEpochCutsNoWindowWhateverItsCounters() {
        fallSilent();
        for (int i = 0; i < 40 && path(0).epoch() == 0; i++) {
            goOnWithPathOne(1);
        }
        script.after(RTT_NS);
        long window = path(0).windowBytes();
        int sent = slotsOf(0);
        script.deliver(peer.ack(
                HINT,
                List.of(),
                peer.block(0)
                        .cum(sent)
                        .echoStamp(latestStampOf(0), 1)
                        .rxPackets(1_000)
                        .cePackets(900)
                        .duplicates(50)));
        assertThat(path(0).windowBytes()).isGreaterThanOrEqualTo(window);
        assertThat(path(0).marks()).isZero();
    }

    @Test
    @Covers({"R-PATH-018", "R-PATH-015", "R-HEALTH-005", "R-PATH-010"})
    void aBorrowerMovesToAnEntropyOfItsOwnOnceThatAnswersAndNothingIsUnacknowledged() {
        borrow();
        int lodging = path(0).entropy();
        deliverUnackedOf(0);
        post(20);
        script.after(RTT_NS);
        assertThat(slotsOf(0)).isGreaterThan(delivered[0]);
        Packet.Probe challenge = newestChallenge();
        assertThat(challenge.padding()).isGreaterThan(4000);
        int candidate = routeOf(challenge);
        assertThat(candidate).isNotIn(lodging, path(1).entropy());
        echo(challenge.challenge());
        // Validated, not drained: no new slots, and still on the old route.
        assertThat(path(0).state()).isEqualTo("DRAINING");
        int slots = slotsOf(0);
        post(20);
        goOnWithPathOne(2);
        assertThat(slotsOf(0)).isEqualTo(slots);
        assertThat(path(0).epoch()).isEqualTo(1);
        deliverUnackedOf(0);
        assertThat(path(0).state()).isEqualTo("ACTIVE");
        assertThat(path(0).epoch()).isEqualTo(2);
        assertThat(path(0).borrowed()).isFalse();
        assertThat(path(0).entropy()).isEqualTo(candidate);
        post(20);
        goOnWithPathOne(4);
        assertThat(slotsOf(0)).isGreaterThan(slots);
    }

    @Test
    @Covers("R-PATH-025")
    void aBorrowerThatHasNotBeenHeardOnItsNewRouteTestsNoOther() {
        borrow();
        goOnWithPathOne(3);
        assertThat(path(0).epoch()).isEqualTo(1);
        assertThat(challenges()).isEmpty();
        deliverUnackedOf(0);
        assertThat(challenges()).hasSize(1);
    }

    @Test
    @Covers({"R-HEALTH-004", "R-HEALTH-005"})
    void unansweredChallengesAreRepeatedOnOtherEntropiesEverMoreSeldomAndStaleEchoesIgnored() {
        borrow();
        deliverUnackedOf(0);
        script.after(4_000_000);
        List<Sent> challenges = challenges();
        assertThat(challenges).hasSizeBetween(6, 12);
        for (int i = 1; i < challenges.size(); i++) {
            assertThat(challenge(challenges.get(i)).challenge())
                    .isNotEqualTo(challenge(challenges.get(i - 1)).challenge());
        }
        assertThat(challenges.stream()
                        .map(sent -> sent.route().entropy())
                        .distinct()
                        .count())
                .isGreaterThan(3);
        echo(challenge(challenges.get(challenges.size() - 2)).challenge());
        assertThat(path(0).epoch()).isEqualTo(1);
        assertThat(path(0).borrowed()).isTrue();
        echo(challenge(challenges.get(challenges.size() - 1)).challenge());
        assertThat(path(0).borrowed()).isFalse();
        assertThat(path(0).epoch()).isEqualTo(2);
    }

    @Test
    @Covers("R-PATH-015")
    void aMoveNotMadeBeforeTheAnswerIsStaleBeginsAgain() {
        borrow();
        deliverUnackedOf(0);
        post(20);
        script.after(RTT_NS);
        echo(newestChallenge().challenge());
        assertThat(path(0).state()).isEqualTo("DRAINING");
        int asked = challenges().size();
        for (int i = 0; i < 1200 && challenges().size() == asked; i++) {
            script.after(RTT_NS);
            answerProbe(); // alive, but nothing is acknowledged
        }
        assertThat(challenges().size()).isEqualTo(asked + 1);
        assertThat(path(0).borrowed()).isTrue();
    }

    @Test
    @Covers("R-HEALTH-009")
    void anIcmpErrorMakesAPathSuspectAndAProbeSettlesIt() {
        script.endpoint().onUnreachable(script.nowNs(), peer.connectionId(), 0, path(0).entropy());
        script.go();
        assertThat(path(0).state()).isEqualTo("SUSPECT");
        script.expectAmong(peer.probe(0));
        script.after(1_000);
        answerProbe();
        assertThat(path(0).state()).isEqualTo("ACTIVE");
        assertThat(path(0).epoch()).isZero();
    }

    @Test
    @Covers("R-HEALTH-008")
    void aPathThatLosesNineOfTenIsLeftWithinSixteenLosses() {
        int got = delivered[0];
        for (int i = 0; i < 40 && path(0).epoch() == 0; i++) {
            post(6);
            script.after(RTT_NS / 2);
            deliver(1);
            int sent = slotsOf(0);
            if (sent > got) {
                script.deliver(peer.ack(
                        HINT,
                        List.of(),
                        peer.block(0).cum(got).echoStamp(latestStampOf(0), 0).ackDelay(0xFFFF)));
            }
            script.after(RTT_NS / 2);
        }
        assertThat(path(0).epoch()).isEqualTo(1);
        assertThat(path(0).lostPackets()).isLessThanOrEqualTo(16);
    }

    @Test
    @Covers("R-HEALTH-010")
    void aPathMarkedAloneDrawsAnotherEntropy() {
        int entropy = path(0).entropy();
        int marks = 0;
        for (int i = 0; i < 60 && challenges().isEmpty(); i++) {
            post(4);
            script.after(2 * RTT_NS);
            deliver(1);
            int sent = slotsOf(0);
            marks += sent - delivered[0];
            delivered[0] = sent;
            script.deliver(peer.ack(
                    HINT,
                    List.of(),
                    peer.block(0)
                            .cum(sent)
                            .echoStamp(latestStampOf(0), 0)
                            .rxPackets(sent)
                            .cePackets(marks)
                            .ackDelay(0xFFFF)));
        }
        assertThat(marks).isGreaterThanOrEqualTo(4);
        echo(newestChallenge().challenge());
        deliverUnackedOf(0);
        assertThat(path(0).entropy()).isNotEqualTo(entropy);
        assertThat(path(0).borrowed()).isFalse();
        assertThat(path(0).epoch()).isEqualTo(1);
    }

    @Test
    @Covers("R-PATH-015")
    void theOperatorTakesAPathOutAndLetsItReturn() {
        assertThat(script.endpoint().parkPath(script.nowNs(), peer.connectionId(), 0))
                .isTrue();
        assertThat(script.endpoint().parkPath(script.nowNs(), peer.connectionId(), 1))
                .isFalse();
        for (int none : new int[] {-1, 2, 254}) {
            assertThat(script.endpoint().parkPath(script.nowNs(), peer.connectionId(), none))
                    .isFalse();
            script.endpoint().unparkPath(script.nowNs(), peer.connectionId(), none);
        }
        script.go();
        assertThat(path(0).state()).isEqualTo("ADMIN_DOWN");
        int slots = slotsOf(0);
        post(20);
        goOnWithPathOne(4);
        assertThat(slotsOf(0)).isEqualTo(slots);
        script.endpoint().unparkPath(script.nowNs(), peer.connectionId(), 0);
        script.go();
        echo(newestChallenge().challenge());
        assertThat(path(0).state()).isEqualTo("ACTIVE");
        assertThat(path(0).epoch()).isEqualTo(1);
    }

    @Test
    void anEchoFromTheRouteThatWasLeftIsCountedAsAMistake() {
        borrow();
        int late = stampOf(0, delivered[0]);
        script.deliver(peer.ack(
                HINT, List.of(), peer.block(0).cum(delivered[0] + 1).echoStamp(firstTransmission(delivered[0]), 0)));
        assertThat(late).isNotZero();
        assertThat(script.counters().get(Counter.REBIND_SPURIOUS)).isEqualTo(1);
    }

    // ---- the small print

    private int firstTransmission(int index) {
        for (Sent sent : script.history()) {
            if (isSlotOf(0, sent) && sent.packet().header().psn() == peer.psn(0, index)) {
                return sent.packet().header().txStamp();
            }
        }
        throw new AssertionError("never sent");
    }

    private void borrow() {
        fallSilent();
        for (int i = 0; i < 40 && path(0).epoch() == 0; i++) {
            goOnWithPathOne(1);
        }
        assertThat(path(0).borrowed()).isTrue();
    }

    /** Those of routes under test: the first one of all asked how much a packet may carry. */
    private List<Sent> challenges() {
        List<Sent> found = new ArrayList<>();
        boolean isFirst = true;
        for (Sent sent : script.history()) {
            if (sent.packet() instanceof Packet.Probe probe && (probe.probeFlags() & ProbeHeader.CHALLENGE) != 0) {
                if (!isFirst) {
                    found.add(sent);
                }
                isFirst = false;
            }
        }
        return found;
    }

    private static Packet.Probe challenge(Sent sent) {
        return (Packet.Probe) sent.packet();
    }

    private Packet.Probe newestChallenge() {
        List<Sent> all = challenges();
        return challenge(all.get(all.size() - 1));
    }

    private int routeOf(Packet.Probe challenge) {
        for (Sent sent : challenges()) {
            if (challenge(sent).challenge() == challenge.challenge()) {
                return sent.route().entropy();
            }
        }
        throw new AssertionError("never sent");
    }

    private void echo(long challenge) {
        ByteBuffer value = ByteBuffer.allocate(10).putLong(2, challenge);
        Packet.Header plain = peer.reportHeader();
        script.deliver(peer.craft(new Packet.Ack(
                new Packet.Header(BaseHeader.X, 0, 0, plain.dstConnId(), plain.psn(), plain.txStamp()),
                HINT,
                0xFFFF,
                0,
                0,
                List.of(),
                List.of(),
                List.of(new Packet.Option(Tlv.PROBE_ECHO, Bytes.of(value.array()))))));
    }

    /** Both paths are sent something; only path 1 delivers, again and again, until path 0 is suspect. */
    private void fallSilent() {
        post(6);
        script.after(RTT_NS);
        assertThat(slotsOf(0)).isGreaterThan(delivered[0]);
        for (int i = 0; i < 10 && path(0).state().equals("ACTIVE"); i++) {
            goOnWithPathOne(1);
        }
        assertThat(path(0).state()).isEqualTo("SUSPECT");
    }

    private void goOnWithPathOne(int rounds) {
        for (int i = 0; i < rounds; i++) {
            post(2);
            script.after(RTT_NS / 2);
            deliver(1);
        }
    }

    private void post(int messages) {
        for (int i = 0; i < messages; i++) {
            app.post(posted++, WrOpcode.RDMA_WRITE, new Range(0, 1000), new Remote(1, 0, 0));
        }
        script.go();
    }

    // Everything sent on a path so far has arrived; 4 us ago, so that the round trip is RTT_NS at most.
    private void deliver(int path) {
        int sent = slotsOf(path);
        if (sent > delivered[path]) {
            delivered[path] = sent;
            script.deliver(peer.ack(
                    HINT,
                    List.of(),
                    peer.block(path)
                            .cum(sent)
                            .echoStamp(latestStampOf(path), path(path).epoch())
                            .ackDelay(0xFFFF)));
        }
    }

    private void deliverUnackedOf(int path) {
        delivered[path] = -1;
        deliver(path);
    }

    private void answerProbe() {
        answerProbeOf(0);
    }

    // The newest stamp of the path is echoed, without acknowledging anything.
    private void answerProbeOf(int path) {
        script.deliver(peer.ack(
                path == 1 ? Minifloat.HINT_PAUSE : HINT,
                List.of(),
                peer.block(path)
                        .cum(delivered[path])
                        .echoStamp(latestStampOf(path), path(path).epoch())
                        .ackDelay(0xFFFF)));
    }

    private PathView path(int i) {
        return Objects.requireNonNull(script.endpoint().view(peer.connectionId()))
                .paths()
                .get(i);
    }

    private int slotsOf(int path) {
        int count = 0;
        for (Sent sent : script.history()) {
            if (isSlotOf(path, sent) && (sent.packet().header().flags() & BaseHeader.R) == 0) {
                count++;
            }
        }
        return count;
    }

    private static boolean isSlotOf(int path, Sent sent) {
        return Opcode.isSlot(sent.packet().opcode()) && sent.packet().header().pathId() == path;
    }

    private int stampOf(int path, int index) {
        return peer.latest(path, index).packet().header().txStamp();
    }

    private int latestStampOf(int path) {
        int latest = 0;
        for (Sent sent : script.history()) {
            boolean isOrdered = isSlotOf(path, sent)
                    || (sent.packet() instanceof Packet.Probe probe
                            && (probe.probeFlags() & ProbeHeader.IN_PATH) != 0
                            && probe.header().pathId() == path);
            latest = isOrdered ? sent.packet().header().txStamp() : latest;
        }
        return latest;
    }

    private static EndpointConfig twoPaths() {
        EndpointConfig config = Profiles.model();
        return config.withPath(config.path().withPaths(2));
    }
}
