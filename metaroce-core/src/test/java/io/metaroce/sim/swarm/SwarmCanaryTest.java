package io.metaroce.sim.swarm;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.engine.ConnectionListener;
import io.metaroce.engine.Offer;
import io.metaroce.memory.RegionTable;
import io.metaroce.queue.WrOpcode;
import io.metaroce.sim.App;
import io.metaroce.sim.Host;
import io.metaroce.sim.PacketObserver;
import io.metaroce.sim.World;
import io.metaroce.sim.swarm.CaseRunner.Meddler;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The judges of the swarm prove themselves: a case that passes no longer does once somebody does what he must not. */
class SwarmCanaryTest {
    private static final int GUARD = 64; // bytes before the first shared buffer, and between them
    private static final int CHATTER = 2500; // more than may be sent for two Writes
    private static final int FORGOTTEN_SERVICE = 55;
    private static final int LAST = 1; // request that has to show after the one before
    private static final String WORLD = "seed 1; net pair 2 1 1 100 1000 0 0 mark; side 4096 4 64 1 4096 4 16;"
            + " options model 256 4 0 7 unkeyed; limits 1024 128 16 64 0 0 64; heal 1000; talk 0 1 drained a 0; ";
    private static final String SHARED = WORLD.replace("64 0 0 64", "64 0 2 64");
    private static final String TWO_WRITES =
            "op 0 0 a rdma_write 20000 0 0 none; op 0 0 a rdma_write 3000 0 0 none ordered";
    private static final String TWO_SENDS = "op 0 0 a send 9000 0 0 none; op 0 0 a send 3000 0 0 none";

    @Test
    void anHonestRunPasses() {
        assertThat(fault(WORLD + TWO_WRITES, Meddler.NOBODY)).isEmpty();
        assertThat(fault(WORLD + TWO_SENDS, Meddler.NOBODY)).isEmpty();
        assertThat(fault(SHARED + TWO_SENDS, Meddler.NOBODY)).isEmpty();
    }

    // ---- memory

    @Test
    void aByteNobodyAnnounced() {
        assertThat(fault(WORLD + TWO_WRITES, onceDone((lane, world) -> flip(lane.receiver(), lane.offset(0) - 1))))
                .contains("byte");
    }

    @Test
    void aByteThatChangesAfterItsMessageWasCompleted() {
        Meddler late = (world, conversation) -> {
            Lane lane = conversation.lanes().get(0);
            whenever(world, () -> {
                if (!lane.sender().done().isEmpty()) {
                    lane.receiver().memory().put(lane.offset(0), (byte) 77);
                }
            });
        };
        assertThat(fault(WORLD + TWO_WRITES, late)).contains("byte");
    }

    // ---- order

    @ParameterizedTest
    @ValueSource(
            strings = {
                TWO_WRITES,
                "op 0 0 a rdma_write 20000 0 0 none; op 0 0 a rdma_read 5000 0 0 none",
                "op 0 0 a send 20000 0 0 none; op 0 0 a rdma_write 3000 0 0 none ordered",
                "op 0 0 a rdma_read 20000 0 0 none; op 0 0 a rdma_write 5000 0 0 none fenced",
                "op 0 0 a rdma_read 20000 0 0 none; op 0 0 a send 5000 0 0 none fenced",
                "op 0 0 a rdma_write 20000 0 0 none; op 0 0 a atomic_fetch_and_add 8 0 0 none"
            })
    void whatShowsTooEarly(String work) {
        assertThat(fault(WORLD + work, Meddler.NOBODY)).isEmpty();
        boolean isRead = work.contains("rdma_read 5000");
        Meddler hasty = (world, conversation) -> {
            Lane lane = conversation.lanes().get(0);
            App where = isRead ? lane.sender() : lane.receiver();
            boolean[] isDone = {false};
            whenever(world, () -> {
                // As soon as both are posted: nothing has come yet.
                if (!isDone[0] && lane.toString().contains(" of 2 of 2 requests")) {
                    isDone[0] = true;
                    flip(where, lane.offset(LAST));
                }
            });
        };
        assertThat(fault(WORLD + work, hasty)).contains("shows before what it follows: request 0");
    }

    // ---- completions

    @Test
    void aCompletionOfWhatWasNeverPosted() {
        Meddler intruder = onceDone((lane, world) -> lane.sender()
                .post(99, WrOpcode.RDMA_WRITE, App.Range.NONE, lane.receiver().at(0, 0)));
        assertThat(fault(WORLD + TWO_WRITES + "; op 0 0 a rdma_write 100 300000 0 none", intruder))
                .contains("request 2 must end next");
    }

    // ---- shared receives

    @Test
    void aSharedBufferThatIsNotPosted() {
        Meddler late = (world, conversation) -> {
            Lane lane = conversation.lanes().get(0);
            whenever(world, () -> {
                if (lane.receiver().done().size() == 2) {
                    Objects.requireNonNull(lane.shared()).memory().put(GUARD, (byte) 77);
                }
            });
        };
        assertThat(fault(SHARED + TWO_SENDS, late)).contains("in a buffer that is not posted");
    }

    @Test
    void whatLiesBetweenSharedBuffers() {
        Meddler neighbour = onceDone((lane, world) -> flip(Objects.requireNonNull(lane.shared()), GUARD + 9000));
        assertThat(fault(SHARED + TWO_SENDS, neighbour)).contains("between buffers");
    }

    @Test
    void aSharedBufferThatDoesNotHoldItsMessage() {
        Meddler forger = (world, conversation) -> {
            SharedReceives shared =
                    Objects.requireNonNull(conversation.lanes().get(0).shared());
            whenever(world, () -> shared.memory().put(GUARD + 100, (byte) 77));
        };
        assertThat(fault(SHARED + TWO_SENDS, forger)).contains("does not hold its message of 9000 bytes");
    }

    @Test
    void aSharedReceiveThatIsHandedBackTwice() {
        SharedReceives shared = new SharedReceives(new RegionTable(4), 2, 100);
        shared.expect(0);
        shared.posts(0);
        byte[] content = new byte[100];
        shared.memory().put(GUARD, content);
        assertThat(shared.onEnded(0, content, true)).isEmpty();
        assertThat(shared.onEnded(0, content, true)).contains("was not posted");
        assertThat(shared.onEnded(1, content, true)).contains("was not posted");
        assertThat(shared.onEnded(2, content, true)).contains("was not posted");
    }

    // ---- what is left

    @Test
    void aSendCellThatIsKept() {
        Meddler keeper = onceDone(
                (lane, world) -> assertThat(lane.sender().sends().acquire()).isNotNull());
        assertThat(fault(WORLD + TWO_WRITES, keeper)).contains("cells were not given back: connection 0, stream 0");
    }

    @Test
    void aReceiveCellThatIsKept() {
        Meddler keeper = onceDone((lane, world) ->
                assertThat(lane.receiver().receives().acquire()).isNotNull());
        assertThat(fault(WORLD + TWO_WRITES, keeper)).contains("cells were not given back: connection 0, stream 0");
    }

    @Test
    void aSharedCellThatIsKept() {
        Meddler keeper = onceDone((lane, world) -> assertThat(
                        Objects.requireNonNull(lane.shared()).ring().acquire())
                .isNotNull());
        assertThat(fault(SHARED + TWO_SENDS, keeper)).contains("cells were not given back: shared receives");
    }

    @Test
    void aPacketThatIsKept() {
        Meddler keeper = onceDone((lane, world) -> world.packets().take(100));
        assertThat(fault(WORLD + TWO_WRITES, keeper)).contains("1 packets are still under way");
    }

    @Test
    void memoryOfAConnectionThatNobodyEnds() {
        Meddler forgetful = (world, conversation) -> {
            Host to = world.host("b");
            ConnectionListener hospitable = new ConnectionListener() {
                @Override
                public void offered(long nowNs, int connectionId, Offer offer) {
                    to.endpoint().accept(nowNs, connectionId, List.of(), new byte[0]);
                }
            };
            to.endpoint().listen(FORGOTTEN_SERVICE, hospitable);
            Host from = world.host("a");
            from.endpoint()
                    .connect(
                            from.nowNs(),
                            to.localAddress(),
                            FORGOTTEN_SERVICE,
                            List.of(),
                            new byte[0],
                            new ConnectionListener() {});
            from.touched();
        };
        assertThat(fault(WORLD + TWO_WRITES, forgetful)).contains("memory of a was not given back");
    }

    // ---- effort

    @Test
    void morePacketsThanTheWorkCanNeed() {
        int[] turns = {0};
        long[] lastNs = {0};
        Meddler restless = (world, conversation) -> whenever(world, () -> {
            if (world.nowNs() > lastNs[0] && turns[0] < CHATTER) {
                lastNs[0] = world.nowNs();
                turns[0]++;
                Host host = world.host("a");
                host.endpoint().planeDown(host.nowNs(), 0);
                host.endpoint().planeUp(host.nowNs(), 0);
                host.touched();
            }
        });
        String late = "; op 0 0 a rdma_write 100 3000000 0 none";
        assertThat(fault(WORLD + TWO_WRITES + late, Meddler.NOBODY)).isEmpty();
        assertThat(fault(WORLD + TWO_WRITES + late, restless)).contains("packets were sent", "are more than enough");
    }

    // ---- meddling

    /** Once the first request is complete, somebody does {@code what}. */
    private static Meddler onceDone(BiConsumer<Lane, World> what) {
        return (world, conversation) -> {
            Lane lane = conversation.lanes().get(0);
            boolean[] isDone = {false};
            whenever(world, () -> {
                if (!isDone[0] && !lane.sender().done().isEmpty()) {
                    isDone[0] = true;
                    what.accept(lane, world);
                }
            });
        };
    }

    private static void whenever(World world, Runnable what) {
        world.observe(new PacketObserver() {
            @Override
            public void afterEvent(long timePs) {
                what.run();
            }
        });
    }

    private static void flip(App app, int at) {
        app.memory().put(at, (byte) ~app.memory().get(at));
    }

    private static void flip(SharedReceives shared, int at) {
        shared.memory().put(at, (byte) ~shared.memory().get(at));
    }

    private static String fault(String text, Meddler meddler) {
        return CaseRunner.run(CaseText.parse(text), meddler).fault();
    }
}
