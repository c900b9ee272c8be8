package io.metaroce.sim;

import io.metaroce.memory.Access;
import io.metaroce.param.EndpointConfig;
import io.metaroce.param.FirstNumbers;
import io.metaroce.param.Profiles;
import io.metaroce.queue.WcFlag;
import io.metaroce.queue.WcOpcode;
import io.metaroce.queue.WcStatus;
import io.metaroce.queue.WrOpcode;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * One transfer from a to b, start to end: connect, post, wait, compare every byte, close. Throws an AssertionError that
 * names the seed when anything is not as it must be.
 */
final class Transfer {
    static final int PAYLOAD = 4096;
    private static final int GUARD = 512; // bytes between messages that nobody may touch
    private static final long GBIT = 125_000_000;
    private static final long LIMIT_NS = 20_000_000_000L;

    /** What is transferred, and over what. */
    record Job(
            long seed,
            WrOpcode opcode,
            List<Integer> sizes,
            Topology.Pair shape,
            LinkConfig.Faults faults,
            EndpointConfig config,
            FirstNumbers first) {
        static Job of(long seed, WrOpcode opcode, Integer... sizes) {
            return new Job(
                    seed,
                    opcode,
                    List.of(sizes),
                    Topology.Pair.skewed(1),
                    LinkConfig.Faults.NONE,
                    Transfer.config(100, 1),
                    FirstNumbers.USUAL);
        }

        Job over(Topology.Pair value) {
            return new Job(
                    seed,
                    opcode,
                    sizes,
                    value,
                    faults,
                    Transfer.config((int) (value.nic().rateBitsPerSecond() / 1_000_000_000), value.planes()),
                    first);
        }

        Job with(LinkConfig.Faults value) {
            return new Job(seed, opcode, sizes, shape, value, config, first);
        }

        Job with(EndpointConfig value) {
            return new Job(seed, opcode, sizes, shape, faults, value, first);
        }

        Job from(FirstNumbers value) {
            return new Job(seed, opcode, sizes, shape, faults, config, value);
        }
    }

    /** 5 % lost, 1 % twice, on links of different length. */
    static final LinkConfig.Faults ROUGH =
            LinkConfig.Faults.NONE.withLoss(50_000, 1).withDuplicates(10_000, 20 * SimTime.US);

    final World world;
    final Fabric fabric;
    final Peer a;
    final Peer b;
    private final Job job;
    private final PlacementOracle oracle = new PlacementOracle();
    private final PlacementOracle.Watched source;
    private final PlacementOracle.Watched target;
    private final List<Integer> lentKeys = new ArrayList<>();

    Transfer(Job job) {
        this.job = job;
        world = World.ofSeed(job.seed());
        world.firstNumbers(job.first());
        fabric = Topology.pair(world, job.shape().withLink(job.shape().link().withFaults(job.faults())));
        Invariants.watch(world);
        int bytes = GUARD;
        for (int size : job.sizes()) {
            bytes += size + GUARD;
        }
        int depth = Math.max(16, job.sizes().size());
        a = new Peer(fabric.host("a", job.config()), bytes, depth);
        b = new Peer(fabric.host("b", job.config()), bytes, depth);
        source = oracle.watch("source", a.app.memory());
        target = oracle.watch("target", b.app.memory());
    }

    static EndpointConfig config(int gbit, int planes) {
        EndpointConfig config = Profiles.model();
        long rate = gbit * GBIT * planes;
        return config.withRate(config.rate().withLineRate(rate, rate))
                .withPath(config.path().withPaths(8 * planes))
                .withConnection(config.connection().withPayloadBytes(PAYLOAD));
    }

    /** Runs it to its end; answers with the trace hash. */
    static long run(Job job) {
        return new Transfer(job).run();
    }

    long run() {
        connect();
        post();
        complete();
        close();
        return world.trace().value();
    }

    void connect() {
        b.listens();
        a.connects(b);
        expect(world.runUntil(() -> a.isEstablished && b.isEstablished, LIMIT_NS), "the connection is not established");
    }

    void post() {
        int at = GUARD;
        for (int i = 0; i < job.sizes().size(); i++) {
            int size = job.sizes().get(i);
            if (job.opcode() == WrOpcode.RDMA_READ) {
                source.expect(at, b.app.memory(), at, size);
            } else {
                target.expect(at, a.app.memory(), at, size);
            }
            int immediate = job.opcode() == WrOpcode.SEND_WITH_INV ? lend() : 3 * i;
            if (job.opcode().consumesReceive()) {
                boolean isSend = job.opcode() != WrOpcode.RDMA_WRITE_WITH_IMM;
                b.app.receive(1000 + i, isSend ? new App.Range(at, size) : App.Range.NONE);
            }
            a.app.post(i, job.opcode(), new App.Range(at, size), b.app.at(at, immediate));
            at += size + GUARD;
        }
    }

    /** A region of b's that a is to make invalid. */
    private int lend() {
        int key = b.host.endpoint()
                .regions()
                .register(App.DOMAIN, ByteBuffer.allocateDirect(8), 0, Access.ALL)
                .key();
        lentKeys.add(key);
        return key;
    }

    void complete() {
        int messages = job.sizes().size();
        int receives = job.opcode().consumesReceive() ? messages : 0;
        long step = Math.max(1, a.app.memory().capacity() / 4096);
        long[] calls = {0};
        boolean inTime = world.runUntil(
                () -> {
                    if (++calls[0] % (20 * step) == 0) {
                        expectEmpty(oracle.faultNow());
                    }
                    return a.app.poll().size() >= messages && b.app.poll().size() >= receives;
                },
                LIMIT_NS);
        expect(inTime, "work is not complete");
        settle();
        List<App.Done> sent = new ArrayList<>();
        List<App.Done> received = new ArrayList<>();
        for (int i = 0; i < messages; i++) {
            sent.add(new App.Done(i, WcStatus.SUCCESS, job.opcode().completion(), 0, 0, 0));
            received.add(receivedAs(i, job.sizes().get(i)));
        }
        expectEqual(stripped(a.app.poll()), sent, "completions of a");
        expectEqual(b.app.poll(), received.subList(0, receives), "completions of b");
        expectEmpty(oracle.faultAtEnd());
    }

    void close() {
        a.closes();
        expect(world.runUntil(() -> a.isClosed && b.isClosed, LIMIT_NS), "the connection does not close");
        settle();
        expectEmpty(oracle.faultAtEnd());
        expectEmpty(world.conservation().fault());
        expect(world.packets().inUse() == 0, "packets are still under way");
        expect(
                a.host.endpoint().freeSlots() == job.config().limits().slots()
                        && b.host.endpoint().freeSlots()
                                == job.config().limits().slots(),
                "slots were not given back: a has " + a.host.endpoint().freeSlots() + ", b "
                        + b.host.endpoint().freeSlots() + " of "
                        + job.config().limits().slots());
    }

    /** Lets whatever is still under way arrive: late duplicates, last reports. */
    private void settle() {
        world.run(1_000_000);
    }

    private App.Done receivedAs(int i, int size) {
        return switch (job.opcode()) {
            case SEND -> new App.Done(1000 + i, WcStatus.SUCCESS, WcOpcode.RECV, size, 0, 0);
            case SEND_WITH_IMM -> new App.Done(1000 + i, WcStatus.SUCCESS, WcOpcode.RECV, size, 3 * i, WcFlag.WITH_IMM);
            case SEND_WITH_INV ->
                new App.Done(1000 + i, WcStatus.SUCCESS, WcOpcode.RECV, size, lentKeys.get(i), WcFlag.WITH_INV);
            default ->
                new App.Done(1000 + i, WcStatus.SUCCESS, WcOpcode.RECV_RDMA_WITH_IMM, size, 3 * i, WcFlag.WITH_IMM);
        };
    }

    // Length, immediate and flags of a send completion mean nothing.
    private static List<App.Done> stripped(List<App.Done> completions) {
        List<App.Done> out = new ArrayList<>();
        for (App.Done one : completions) {
            out.add(new App.Done(one.wrId(), one.status(), one.opcode(), 0, 0, 0));
        }
        return out;
    }

    private void expectEqual(List<App.Done> is, List<App.Done> must, String what) {
        expect(is.equals(must), what + " are " + is + "\n  and must be " + must);
    }

    private void expectEmpty(String fault) {
        expect(fault.isEmpty(), fault);
    }

    private void expect(boolean condition, String what) {
        if (!condition) {
            throw new AssertionError(what + "\n  seed " + job.seed() + ", " + job.opcode() + " " + job.sizes() + " at "
                    + world.nowNs() + " ns\n  " + a.state() + "  " + b.state());
        }
    }
}
