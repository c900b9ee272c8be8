package io.metaroce.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaroce.engine.ConnectionListener;
import io.metaroce.engine.Offer;
import io.metaroce.engine.StreamBinding;
import io.metaroce.memory.Access;
import io.metaroce.memory.MemoryRegion;
import io.metaroce.memory.RegionTable;
import io.metaroce.param.CloseReason;
import io.metaroce.param.EndpointConfig;
import io.metaroce.param.Secret;
import io.metaroce.queue.CompletionCell;
import io.metaroce.queue.CompletionRing;
import io.metaroce.queue.ReceiveRing;
import io.metaroce.queue.SendCell;
import io.metaroce.queue.SendRing;
import io.metaroce.queue.Signalling;
import io.metaroce.queue.WcStatus;
import io.metaroce.queue.WrOpcode;
import io.metaroce.sim.WorldConfig.Order;
import io.metaroce.sim.WorldConfig.Payload;
import io.metaroce.trace.Counter;
import io.metaroce.trace.DropReason;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Payload that is not carried and nodes that go on in turn change nothing of what endpoints do. */
class PhantomSimTest {
    private static final int DOMAIN = 1;
    private static final int SERVICE = 7;
    private static final long BASE = 0x10_0000_0000L;
    private static final int MESSAGE = 1 << 20;
    private static final int MESSAGES = 6;
    private static final LinkConfig.Faults LOSS = LinkConfig.Faults.NONE.withLoss(20_000, 1);

    @Test
    void completionsComeAtTheSameInstantsWithPayloadAndWithout() {
        for (long seed = 1; seed <= 3; seed++) {
            Run copied = new Run(seed, Payload.COPIED, Order.OF_TIME, LOSS);
            assertThat(copied.doneNs).isPositive();
            assertThat(copied.resent()).isPositive();
            for (Payload payload : Payload.values()) {
                for (Order order : Order.values()) {
                    Run other = new Run(seed, payload, order, LOSS);
                    assertThat(other.doneNs).as(payload + " " + order).isEqualTo(copied.doneNs);
                    assertThat(other.counters()).as(payload + " " + order).isEqualTo(copied.counters());
                    if (payload == Payload.COPIED) {
                        assertThat(other.world.trace().value())
                                .isEqualTo(copied.world.trace().value());
                    }
                }
            }
        }
    }

    @Test
    void aPacketWhosePayloadWouldBeBrokenIsDropped() {
        LinkConfig.Faults broken = LinkConfig.Faults.NONE.withCorruption(0, 20_000);
        Run phantom = new Run(1, Payload.PHANTOM, Order.BY_NODE, broken);
        Run copied = new Run(1, Payload.COPIED, Order.OF_TIME, broken);
        assertThat(phantom.doneNs).isEqualTo(copied.doneNs);
        assertThat(phantom.counters()).isEqualTo(copied.counters()).contains(DropReason.INTEGRITY + " 1");
    }

    @Test
    void nobodyReadsBytesThatAreNotThere() {
        assertThatThrownBy(() -> new Run(
                        1,
                        Payload.PHANTOM,
                        Order.OF_TIME,
                        LOSS,
                        table -> table.register(DOMAIN, ByteBuffer.allocateDirect(MESSAGE), BASE, Access.ALL)))
                .hasMessageContaining("use RegionTable.registerNull");
        World world = new World(WorldConfig.ofSeed(1).withPayload(Payload.PHANTOM));
        EndpointConfig config = Transfer.config(100, 1);
        EndpointConfig secret = config.withSecurity(config.security().withPresharedKey(Secret.of(new byte[32])));
        Fabric fabric = Topology.pair(world, Topology.Pair.plain());
        assertThatThrownBy(() -> fabric.host("a", secret)).hasMessageContaining("security.presharedKey");
    }

    @Test
    void whatNeedsTheOrderOfTimeIsRefusedInTheOther() {
        World world = new World(WorldConfig.ofSeed(1).withOrder(Order.BY_NODE));
        Fabric fabric = Topology.pair(world, Topology.Pair.plain());
        assertThatThrownBy(() -> Invariants.watch(world)).hasMessageContaining("WorldConfig.order");
        assertThatThrownBy(world::step).hasMessageContaining("WorldConfig.order");
        assertThatThrownBy(() -> world.faults(FaultScript.parse("packet 3 drop")))
                .hasMessageContaining("WorldConfig.order");
        Link link = fabric.links().get(0);
        assertThatThrownBy(() -> link.configure(
                        link.config().withFaults(LinkConfig.Faults.NONE.withReordering(10, 3, SimTime.US))))
                .hasMessageContaining("WorldConfig.order");
    }

    /** Where the memory of a host comes from. */
    private interface Registration {
        MemoryRegion in(RegionTable table);
    }

    /** Writes from four hosts to one over a leaf-spine with losses, start to end. */
    private static final class Run implements ConnectionListener {
        private final World world;
        private final Fabric fabric;
        private final Registration registration;
        private final List<CompletionRing> watched = new ArrayList<>();
        private int established;
        private int completed;
        private long doneNs;

        Run(long seed, Payload payload, Order order, LinkConfig.Faults faults) {
            this(
                    seed,
                    payload,
                    order,
                    faults,
                    table -> payload == Payload.PHANTOM
                            ? table.registerNull(DOMAIN, MESSAGE, BASE, Access.ALL)
                            : table.register(DOMAIN, ByteBuffer.allocateDirect(MESSAGE), BASE, Access.ALL));
        }

        Run(long seed, Payload payload, Order order, LinkConfig.Faults faults, Registration registration) {
            this.registration = registration;
            world = new World(WorldConfig.ofSeed(seed).withPayload(payload).withOrder(order));
            LinkConfig port =
                    LinkConfig.port(100_000_000_000L, SimTime.US, 500_000).withFaults(faults);
            fabric = Topology.leafSpine(world, new Topology.LeafSpine(2, 2, 4, 1, NicConfig.ofGbit(100), port, port));
            fabric.hosts(Transfer.config(100, 1));
            MemoryRegion target = registration.in(host(7).endpoint().regions());
            for (int from = 0; from < 4; from++) {
                write(from, target);
            }
            assertThat(world.runUntil(this::isDone, 1_000_000_000L)).isTrue();
            world.runToMultipleOf(1_000_000);
        }

        private boolean isDone() {
            for (CompletionRing ring : watched) {
                for (CompletionCell cell = ring.take(); cell != null; cell = ring.take()) {
                    assertThat(cell.status()).isEqualTo(WcStatus.SUCCESS);
                    ring.release(cell);
                    completed++;
                    doneNs = Math.max(doneNs, world.nowNs());
                }
            }
            return completed == 4 * MESSAGES;
        }

        private Host host(int place) {
            return world.hosts().get(place);
        }

        private void write(int from, MemoryRegion remote) {
            Host sender = host(from);
            Host receiver = host(7);
            MemoryRegion local = registration.in(sender.endpoint().regions());
            CompletionRing none = new CompletionRing(8, receiver.doorbells(), () -> {});
            StreamBinding there = new StreamBinding(
                    0,
                    DOMAIN,
                    new SendRing(1, 1, 0, 0, none, none.attach(), Signalling.ALL, receiver.doorbells()),
                    new ReceiveRing(1, 1, 0, none, none.attach(), receiver.doorbells()));
            receiver.endpoint().listen(SERVICE + from, new ConnectionListener() {
                @Override
                public void offered(long nowNs, int id, Offer offer) {
                    receiver.commands().offer((now, endpoint) -> endpoint.accept(now, id, List.of(there), new byte[0]));
                    receiver.doorbells().wake();
                }
            });
            CompletionRing completions = new CompletionRing(2 * MESSAGES, sender.doorbells(), () -> {});
            SendRing sends = new SendRing(
                    MESSAGES, 1, 0, 0, completions, completions.attach(), Signalling.ALL, sender.doorbells());
            StreamBinding here = new StreamBinding(
                    0, DOMAIN, sends, new ReceiveRing(1, 1, 0, completions, completions.attach(), sender.doorbells()));
            sender.endpoint()
                    .connect(world.nowNs(), receiver.localAddress(), SERVICE + from, List.of(here), new byte[0], this);
            sender.touched();
            assertThat(world.runUntil(() -> established == from + 1, 1_000_000_000L))
                    .isTrue();
            world.runToMultipleOf(1_000_000);
            for (int i = 0; i < MESSAGES; i++) {
                SendCell cell = Objects.requireNonNull(sends.acquire());
                cell.wrId(i)
                        .opcode(WrOpcode.RDMA_WRITE)
                        .flags(0)
                        .rkey(remote.key())
                        .remoteAddress(remote.base())
                        .addSge(local.key(), 0, MESSAGE);
                sends.post(cell);
            }
            sends.ring();
            watched.add(completions);
        }

        String counters() {
            StringBuilder text = new StringBuilder();
            for (Host host : world.hosts()) {
                for (Counter counter : Counter.values()) {
                    text.append(counter.label())
                            .append(' ')
                            .append(host.counters().get(counter))
                            .append('\n');
                }
            }
            for (Host host : world.hosts()) {
                for (DropReason reason : DropReason.values()) {
                    text.append(reason)
                            .append(' ')
                            .append(host.counters().get(reason) > 0 ? 1 : 0)
                            .append('\n');
                    text.append(host.counters().get(reason)).append('\n');
                }
            }
            return text.toString();
        }

        long resent() {
            return host(0).counters().get(Counter.RETRANSMIT_GAP);
        }

        @Override
        public void established(long nowNs, int id, byte[] privateData) {
            established++;
        }

        @Override
        public void closed(long nowNs, int id, CloseReason reason, String detail, byte[] privateData) {
            throw new IllegalStateException(reason + " " + detail);
        }
    }
}
