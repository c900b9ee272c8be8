package io.metaroce.sim;

import io.metaroce.engine.ConnectionListener;
import io.metaroce.engine.ConnectionView;
import io.metaroce.engine.Offer;
import io.metaroce.engine.PathView;
import io.metaroce.param.CloseReason;
import io.metaroce.param.EndpointConfig;
import io.metaroce.queue.WcStatus;
import io.metaroce.queue.WrOpcode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.ToLongFunction;

/** Some hosts that write to one host through one switch, each over a connection of its own: h0 receives. */
final class Incast {
    private static final int SERVICE = 100;
    private static final long SETTLED_NS = 5_000_000;
    private static final long LIMIT_NS = 10_000_000_000L;

    final World world;
    final Fabric fabric;
    final List<Sender> senders = new ArrayList<>();
    private final int messageBytes;

    /** One sender, its connection, and the application at the other end of it. */
    static final class Sender implements ConnectionListener {
        final Host host;
        final App source;
        final App target;
        int connectionId;
        boolean isEstablished;
        private int posted;
        long doneNs;

        Sender(Host host, Host receiver, int messageBytes, int depth) {
            this.host = host;
            source = new App(host.endpoint().regions(), host.doorbells(), 0, messageBytes, depth);
            target = new App(receiver.endpoint().regions(), receiver.doorbells(), 0, messageBytes, depth);
        }

        void post(int messageBytes) {
            source.post(posted++, WrOpcode.RDMA_WRITE, new App.Range(0, messageBytes), target.at(0, 0));
        }

        /** Whether everything posted is complete. */
        boolean isDone(long nowNs) {
            if (doneNs == 0 && source.poll().size() == posted) {
                doneNs = nowNs;
            }
            return doneNs != 0;
        }

        ConnectionView view() {
            ConnectionView view = host.endpoint().view(connectionId);
            if (view == null) {
                throw new AssertionError(host + " has no connection");
            }
            return view;
        }

        /** Slots opened so far on all paths. */
        long slots() {
            return sum(PathView::slots);
        }

        long sum(ToLongFunction<PathView> count) {
            return view().paths().stream().mapToLong(count).sum();
        }

        @Override
        public void offered(long nowNs, int id, Offer offer) {
            throw new IllegalStateException("a sender is offered nothing");
        }

        @Override
        public void established(long nowNs, int id, byte[] privateData) {
            isEstablished = true;
        }

        @Override
        public void closed(long nowNs, int id, CloseReason reason, String detail, byte[] privateData) {
            throw new AssertionError("closed at " + nowNs + ": " + reason + " " + detail);
        }

        @Override
        public void streamFailed(long nowNs, int id, int streamId, String detail) {
            throw new AssertionError("failed: " + detail);
        }
    }

    /** Accepts one connection for the application of one sender. */
    private record Door(Host receiver, App target) implements ConnectionListener {
        @Override
        public void offered(long nowNs, int id, Offer offer) {
            receiver.commands()
                    .offer((now, endpoint) -> endpoint.accept(now, id, List.of(target.binding()), new byte[0]));
            receiver.doorbells().wake();
        }

        @Override
        public void established(long nowNs, int id, byte[] privateData) {}

        @Override
        public void closed(long nowNs, int id, CloseReason reason, String detail, byte[] privateData) {}

        @Override
        public void streamFailed(long nowNs, int id, int streamId, String detail) {
            throw new AssertionError("failed: " + detail);
        }
    }

    /** Builds everything and connects everybody. */
    Incast(
            int count,
            NicConfig nic,
            LinkConfig down,
            EndpointConfig sending,
            EndpointConfig receiving,
            int messageBytes,
            int depth) {
        this(star(count, nic, down), sending, receiving, messageBytes, depth);
    }

    private static Fabric star(int count, NicConfig nic, LinkConfig down) {
        return Topology.star(World.ofSeed(count), new Topology.Star(count + 1, 1, nic, down));
    }

    /** Connects everybody of a fabric to its first host. */
    Incast(Fabric fabric, EndpointConfig sending, EndpointConfig receiving, int messageBytes, int depth) {
        this.messageBytes = messageBytes;
        this.fabric = fabric;
        world = fabric.world();
        int count = fabric.attachments().size() - 1;
        Host receiver = fabric.host("h0", receiving);
        for (int i = 0; i < count; i++) {
            Host host = fabric.host("h" + (i + 1), sending);
            Sender sender = new Sender(host, receiver, messageBytes, depth);
            senders.add(sender);
            int service = SERVICE + i;
            receiver.commands().offer((now, endpoint) -> endpoint.listen(service, new Door(receiver, sender.target)));
            host.commands()
                    .offer((now, endpoint) -> sender.connectionId = endpoint.connect(
                            now,
                            receiver.localAddress(),
                            service,
                            List.of(sender.source.binding()),
                            new byte[0],
                            sender));
        }
        receiver.doorbells().wake();
        world.run(1_000);
        senders.forEach(sender -> sender.host.doorbells().wake());
        until(() -> senders.stream().allMatch(sender -> sender.isEstablished), "not established");
        // Longer than a receiver remembers what the first questions told it of delays.
        world.run(SETTLED_NS);
    }

    /** Everybody writes so many messages from now on. */
    void post(int messages) {
        post(senders, messages);
    }

    /** Some of them do. */
    void post(List<Sender> some, int messages) {
        for (Sender sender : some) {
            sender.doneNs = 0;
            for (int i = 0; i < messages; i++) {
                sender.post(messageBytes);
            }
        }
    }

    void until(BooleanSupplier condition, String otherwise) {
        if (!world.runUntil(condition, LIMIT_NS)) {
            throw new AssertionError(otherwise + " at " + world.nowNs());
        }
    }

    /** Runs until the condition holds, or for that long at most. */
    void runUnless(BooleanSupplier condition, long limitNs) {
        world.runUntil(condition, limitNs);
    }

    /** Runs until all is written. */
    void complete() {
        int[] first = {0};
        until(
                () -> {
                    while (first[0] < senders.size() && senders.get(first[0]).isDone(world.nowNs())) {
                        first[0]++;
                    }
                    return first[0] == senders.size();
                },
                "not complete");
        for (Sender sender : senders) {
            if (!sender.source.poll().stream().allMatch(done -> done.status() == WcStatus.SUCCESS)) {
                throw new AssertionError("a write failed");
            }
        }
    }

    /** The link before the receiver. */
    Link last() {
        for (Link link : fabric.links()) {
            if (link.name().to().equals("h0")) {
                return link;
            }
        }
        throw new AssertionError("no link to h0");
    }

    /** Jain's index of what each sent between two counts, in thousandths. */
    long fairnessPerMille(long[] before) {
        long sum = 0;
        long squares = 0;
        for (int i = 0; i < senders.size(); i++) {
            long packets = senders.get(i).slots() - before[i];
            sum += packets;
            squares += packets * packets;
        }
        return squares == 0 ? 0 : 1000 * sum * sum / (senders.size() * squares);
    }

    /** A count, over all paths of all senders. */
    long sum(ToLongFunction<PathView> count) {
        return senders.stream().mapToLong(sender -> sender.sum(count)).sum();
    }

    /** Slots opened so far, by sender. */
    long[] slots() {
        return senders.stream().mapToLong(Sender::slots).toArray();
    }
}
