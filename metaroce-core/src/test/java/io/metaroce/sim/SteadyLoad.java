package io.metaroce.sim;

import io.metaroce.param.EndpointConfig;
import io.metaroce.queue.WcStatus;
import io.metaroce.queue.WrOpcode;
import io.metaroce.trace.Counter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Host a writes to host b without end, a fixed number of messages at a time; goodput is what b has placed. */
final class SteadyLoad {
    static final int MESSAGE_BYTES = 1 << 18;
    static final long GBIT = 125_000_000;
    private static final int OUTSTANDING = 24;
    private static final long LIMIT_NS = 20_000_000_000L;

    final World world;
    final Fabric fabric;
    final Peer a;
    final Peer b;
    private int posted;
    private boolean isStopped;

    SteadyLoad(long seed, Topology.Pair shape) {
        this(seed, shape, config(shape));
    }

    SteadyLoad(long seed, Topology.Pair shape, EndpointConfig config) {
        this(seed, shape, config, fabric -> {});
    }

    /** Something is done to the fabric before anybody connects. */
    SteadyLoad(long seed, Topology.Pair shape, EndpointConfig config, Consumer<Fabric> before) {
        world = World.ofSeed(seed);
        fabric = Topology.pair(world, shape);
        before.accept(fabric);
        Invariants.watch(world);
        a = new Peer(fabric.host("a", config), OUTSTANDING * MESSAGE_BYTES, 2 * OUTSTANDING);
        b = new Peer(fabric.host("b", config), OUTSTANDING * MESSAGE_BYTES, 2 * OUTSTANDING);
        b.listens();
        a.connects(b);
        if (!world.runUntil(() -> a.isEstablished && b.isEstablished, LIMIT_NS)) {
            throw new AssertionError("the connection is not established: " + a.state() + b.state());
        }
    }

    static EndpointConfig config(Topology.Pair shape) {
        return Transfer.config((int) (shape.nic().rateBitsPerSecond() / 1_000_000_000), shape.planes());
    }

    /** Goes on for a while; answers with the goodput in Mbit/s. */
    long run(long ns) {
        long before = placedBytes();
        long until = world.nowNs() + ns;
        while (world.nowNs() < until) {
            boolean unused = world.runUntil(this::pump, until - world.nowNs());
        }
        return (placedBytes() - before) * 8_000 / ns;
    }

    /** Posts nothing more. */
    void stop() {
        isStopped = true;
    }

    /** Posts again. */
    void resume() {
        isStopped = false;
    }

    /** Posts nothing more and waits for what is outstanding. */
    void finish() {
        stop();
        if (!world.runUntil(() -> a.app.poll().size() == posted, LIMIT_NS)) {
            throw new AssertionError(posted - a.app.poll().size() + " messages stay incomplete: " + a.state());
        }
    }

    /** Every completion that is not a success. */
    List<App.Done> errors() {
        List<App.Done> errors = new ArrayList<>();
        for (App.Done done : a.app.poll()) {
            if (done.status() != WcStatus.SUCCESS) {
                errors.add(done);
            }
        }
        return errors;
    }

    /** Something goes down now, all of it at once, and up again after a while. */
    void outage(long ns, String... what) {
        StringBuilder script = new StringBuilder();
        for (String one : what) {
            script.append("at ").append(world.nowPs()).append("ps ").append(one).append(" down\nat ");
            script.append(world.nowPs() + ns * SimTime.NS)
                    .append("ps ")
                    .append(one)
                    .append(" up\n");
        }
        world.faults(FaultScript.parse(script.toString()));
    }

    /** These things happen now. */
    void fault(String script) {
        String at = "at " + world.nowPs() + "ps ";
        world.faults(FaultScript.parse(at + script.replace("\n", "\n" + at)));
    }

    /** Wire bytes a has sent on each plane. */
    long sentBytes(int plane) {
        return fabric.attachment("a").port(plane).bytesSent();
    }

    private boolean pump() {
        while (!isStopped && posted - a.app.poll().size() < OUTSTANDING) {
            int at = posted % OUTSTANDING * MESSAGE_BYTES;
            a.app.post(posted, WrOpcode.RDMA_WRITE, new App.Range(at, MESSAGE_BYTES), b.app.at(at, 0));
            posted++;
        }
        return false;
    }

    private long placedBytes() {
        return b.host.counters().get(Counter.RX_PAYLOAD_BYTES);
    }
}
