package io.metaroce.collective;

import io.metaroce.verbs.CompletionQueue;
import io.metaroce.verbs.ConnectionRequest;
import io.metaroce.verbs.Device;
import io.metaroce.verbs.Listener;
import io.metaroce.verbs.MemoryRegion;
import io.metaroce.verbs.ProtectionDomain;
import io.metaroce.verbs.QpInitAttributes;
import io.metaroce.verbs.QpState;
import io.metaroce.verbs.QueuePair;
import io.metaroce.verbs.VerbsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The connections of a rank to all others, made in any order and made anew when an attempt fails. The rank with the
 * higher number connects; the other one listens.
 */
final class Links implements AutoCloseable {
    private static final int FOR_EVER = 7;

    private final Device device;
    private final Communicator.Shape shape;
    private final ProtectionDomain domain;
    private final CompletionQueue queue;
    private final byte[] greeting;
    private final @Nullable Link[] links; // to each rank; none to the own
    private final Listener listener;

    Links(
            Device device,
            Communicator.Shape shape,
            ProtectionDomain domain,
            CompletionQueue queue,
            List<MemoryRegion> regions) {
        this.device = device;
        this.shape = shape;
        this.domain = domain;
        this.queue = queue;
        greeting = Greeting.of(shape, regions);
        links = new Link[shape.ranks()];
        listener = device.listen(Communicator.FIRST_SERVICE + shape.rank());
    }

    /** That to a rank, or null if nobody has begun to make it. */
    @Nullable
    Link to(int peer) {
        return links[peer];
    }

    /** Begins to connect to a rank of lower number, or begins again. */
    void connect(int peer, String address) {
        if (peer >= shape.rank()) {
            throw new IllegalArgumentException("rank " + shape.rank() + " connects to lower ranks, not to " + peer);
        }
        Link link = renewed(peer);
        link.pending(device.connector()
                .withPrivateData(greeting)
                .start(address, Communicator.FIRST_SERVICE + peer, link.queuePairs()));
    }

    /** Whether a rank of lower number must be asked once more. */
    boolean hasFailed(int peer) {
        Link link = links[peer];
        return link == null || link.hasFailed();
    }

    /** Answers all ranks that have asked. */
    void answer() {
        for (ConnectionRequest request = listener.poll(); request != null; request = listener.poll()) {
            accept(request);
        }
    }

    /** Answers the next rank that asks; waits for one if need be, but not for ever. */
    void answer(Duration patience) {
        try {
            accept(listener.accept(patience));
        } catch (TimeoutException e) {
            // nobody asked, which is no reason to stop
        }
    }

    /** Ranks to which no connection stands. */
    List<Integer> missing() {
        List<Integer> peers = new ArrayList<>();
        for (int peer = 0; peer < shape.ranks(); peer++) {
            Link link = links[peer];
            if (peer != shape.rank() && (link == null || !link.stands())) {
                peers.add(peer);
            }
        }
        return peers;
    }

    private Link renewed(int peer) {
        Link old = links[peer];
        if (old != null) {
            old.close();
        }
        Link made = new Link(peer, queuePairs(), shape.lanes());
        links[peer] = made;
        return made;
    }

    private void accept(ConnectionRequest request) {
        if (request.isWithdrawn()) {
            return;
        }
        Greeting said = Greeting.read(request.privateData());
        int peer = said.rank();
        if (!said.fits(shape) || peer <= shape.rank() || peer >= shape.ranks()) {
            request.reject(greeting);
            throw new VerbsException(
                    shape.toString(),
                    "a connection of " + said,
                    "all ranks have the same shape",
                    "start all ranks with the same options");
        }
        Link link = renewed(peer);
        link.greeting(said);
        link.pending(request.acceptSoon(greeting, link.queuePairs()));
    }

    private QueuePair[] queuePairs() {
        QueuePair[] made = new QueuePair[shape.lanes() + shape.lanesOfSends()];
        for (int lane = 0; lane < made.length; lane++) {
            made[lane] = domain.createQueuePair(QpInitAttributes.of(queue)
                    .withSendDepth(shape.depth())
                    .withReceiveDepth(shape.depth())
                    .withRnrRetries(FOR_EVER)
                    .withSignalAll());
            made[lane].modify(QpState.INIT);
        }
        return made;
    }

    @Override
    public void close() {
        listener.close();
        for (Link link : links) {
            if (link != null) {
                link.close();
            }
        }
    }
}
