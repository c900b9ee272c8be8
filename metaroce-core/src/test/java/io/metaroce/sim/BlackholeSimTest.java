package io.metaroce.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.engine.PathView;
import io.metaroce.param.EndpointConfig;
import io.metaroce.queue.WcStatus;
import io.metaroce.queue.WrOpcode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/**
 * What a failing path costs a stream of writes that is never idle: how long new data goes on being sent there, how long
 * goodput is short of what the other paths can carry, and whether the path comes back on a route of its own.
 */
class BlackholeSimTest {
    private static final int MESSAGE = 1 << 20;
    private static final int MESSAGES = 64;
    private static final int PATHS = 8;
    private static final long ONE_WAY_NS = 5_000;
    private static final long LIMIT_NS = 1_000_000_000;
    private static final long RUN_IN_NS = 2_000_000;

    private final List<Long> deliveredAtNs = new ArrayList<>();
    private final World world = World.ofSeed(31);
    private final Fabric fabric = Topology.pair(
            world, new Topology.Pair(1, 4, NicConfig.ofGbit(100), LinkConfig.wire(ONE_WAY_NS * SimTime.NS), 0));
    private final EndpointConfig config = config();
    private final Peer a = new Peer(fabric.host("a", config), MESSAGE, MESSAGES);
    private final Peer b = new Peer(fabric.host("b", config), MESSAGE, MESSAGES);

    @Test
    @Covers({"R-HEALTH-001", "R-PATH-018"})
    void aBlackholedPathIsLeftAndRecoveredWithinThreeRoundTripsAndReturnsOnARouteOfItsOwn() {
        begin();
        world.run(RUN_IN_NS);
        long rttNs = path(0).srttNs();
        double usual = arrivals(world.nowNs() - RUN_IN_NS / 2, world.nowNs()) / (RUN_IN_NS / 2.0);
        int entropy = path(0).entropy();
        fabric.attachment("a").port(0).blackhole(entropy);
        long failedNs = world.nowNs();
        long lastNewNs = failedNs;
        long movedNs = 0;
        long ownNs = 0;
        long slots = path(0).slots();
        while (ownNs == 0) {
            world.run(500);
            assertThat(world.nowNs() - failedNs).as(a::state).isLessThan(20_000_000);
            PathView path = path(0);
            if (movedNs == 0 && path.slots() > slots) {
                slots = path.slots();
                lastNewNs = world.nowNs();
            }
            movedNs = movedNs == 0 && path.epoch() > 0 ? world.nowNs() : movedNs;
            ownNs = path.epoch() > 0 && !path.borrowed() ? world.nowNs() : 0;
        }
        world.run(1_000_000);
        long recoveredNs = recoveredAfterNs(failedNs, rttNs, usual * 0.95);
        String figures = String.format(
                Locale.ROOT,
                "blackhole, RTT %d ns: last new data on it after %d ns (%.2f RTT), 95 %% of the goodput before"
                        + " after %d ns (%.2f RTT), rebound after %d ns (%.2f RTT), own route after %d ns (%.2f RTT)",
                rttNs,
                lastNewNs - failedNs,
                perRtt(lastNewNs - failedNs, rttNs),
                recoveredNs,
                perRtt(recoveredNs, rttNs),
                movedNs - failedNs,
                perRtt(movedNs - failedNs, rttNs),
                ownNs - failedNs,
                perRtt(ownNs - failedNs, rttNs));
        assertThat(lastNewNs - failedNs).as(figures).isLessThanOrEqualTo(2 * rttNs);
        assertThat(recoveredNs).as(figures).isLessThanOrEqualTo(3 * rttNs);
        assertThat(path(0).entropy()).as(figures).isNotEqualTo(entropy);
        finish();
    }

    @Test
    @Covers("R-HEALTH-008")
    void aLinkThatLosesNineOfTenIsLeftByAllItsPathsBeforeAReportBeyondTheSixteenthLoss() {
        begin();
        world.run(RUN_IN_NS);
        List<PathView> before = a.view().paths();
        long failedNs = world.nowNs();
        world.faults(FaultScript.parse("at " + (failedNs + 1) + "ns link a-b.0 from a loss 90%"));
        long most = 0;
        int left = 0;
        boolean[] done = new boolean[PATHS];
        long[] known = new long[PATHS]; // losses that were known before the last step
        for (int step = 0; step < 4000; step++) {
            world.run(500);
            for (int i = 0; i < PATHS; i++) {
                if (!done[i] && path(i).epoch() != before.get(i).epoch()) {
                    done[i] = true;
                    left++;
                    most = Math.max(most, known[i]);
                }
                known[i] = path(i).lostPackets() - before.get(i).lostPackets();
            }
        }
        String figures = String.format(
                Locale.ROOT,
                "90 %% loss on one link of four: %d paths left it, at most %d losses told of by reports before",
                left,
                most);
        assertThat(left).as(figures).isPositive();
        assertThat(most).as(figures).isLessThan(16);
        finish();
    }

    @Test
    @Covers({"R-HEALTH-004", "R-HEALTH-005"})
    void withEveryRouteInUseDeadAFreshOneIsFound() {
        begin();
        world.run(RUN_IN_NS);
        for (PathView path : a.view().paths()) {
            fabric.attachment("a").port(0).blackhole(path.entropy());
        }
        long failedNs = world.nowNs();
        world.run(100_000); // what is under way arrives
        int count = deliveredAtNs.size();
        while (deliveredAtNs.size() == count) {
            world.run(10_000);
            assertThat(world.nowNs() - failedNs).as(a::state).isLessThan(100_000_000);
        }
        finish();
    }

    // ---- the small print

    private void begin() {
        Invariants.watch(world);
        b.listens();
        a.connects(b);
        assertThat(world.runUntil(() -> a.isEstablished && b.isEstablished, LIMIT_NS))
                .isTrue();
        world.observe(new PacketObserver() {
            private final int receiver = b.host.attachment().node();

            @Override
            public void delivered(long timePs, int node, int packet) {
                if (node == receiver && world.packets().length(packet) > 4000) {
                    deliveredAtNs.add(timePs / SimTime.NS);
                }
            }
        });
        for (int i = 0; i < MESSAGES; i++) {
            a.app.post(i, WrOpcode.RDMA_WRITE, new App.Range(0, MESSAGE), b.app.at(0, 0));
        }
    }

    private void finish() {
        assertThat(world.runUntil(() -> a.app.poll().size() == MESSAGES, LIMIT_NS))
                .as(a::state)
                .isTrue();
        assertThat(a.app.poll()).allMatch(done -> done.status() == WcStatus.SUCCESS);
    }

    /** How long after the failure the last round trip begins in which fewer packets per ns arrive. */
    private long recoveredAfterNs(long failedNs, long rttNs, double packetsPerNs) {
        long lastShortNs = failedNs;
        for (long atNs = failedNs; atNs < failedNs + 50 * rttNs; atNs += 100) {
            if (arrivals(atNs, atNs + rttNs) < Math.floor(packetsPerNs * rttNs)) {
                lastShortNs = atNs;
            }
        }
        return lastShortNs - failedNs;
    }

    private int arrivals(long fromNs, long toNs) {
        int count = 0;
        for (long atNs : deliveredAtNs) {
            count += atNs >= fromNs && atNs < toNs ? 1 : 0;
        }
        return count;
    }

    private PathView path(int i) {
        return a.view().paths().get(i);
    }

    private static double perRtt(long ns, long rttNs) {
        return (double) ns / rttNs;
    }

    private static EndpointConfig config() {
        EndpointConfig config = Transfer.config(100, 1);
        return config.withPath(config.path().withPaths(PATHS));
    }
}
