package io.metaroce.verbs;

import io.metaroce.queue.SharedReceiveRing;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Receives for several queue pairs of one domain: whichever message comes first gets the oldest one. Results go to the
 * receive completion queue of the queue pair that received.
 *
 * <p>When it is empty, peers are told to try again later: nothing is lost, but messages come late. {@link #armLimit}
 * tells in time. What is posted and not yet given to a message stays when a queue pair fails, and vanishes without a
 * result when the queue is closed.
 *
 * <p>Posting from several threads is fine and holds no lock.
 */
public final class SharedReceiveQueue implements AutoCloseable {
    private final ProtectionDomain domain;
    private final int number;
    private final SharedReceiveRing ring;
    private final ReceivePoster poster;
    private final Registry<QueuePair> users = new Registry<>();
    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile int armed;

    SharedReceiveQueue(ProtectionDomain domain, int number, int depth, int sgeMax) {
        this.domain = domain;
        this.number = number;
        ring = new SharedReceiveRing(depth, sgeMax, this::onLow);
        poster = new ReceivePoster(
                this, domain, ring::acquire, ring::post, sgeMax, "the sgeMax of the shared receive queue");
    }

    /** Receives it holds. */
    public int depth() {
        return ring.depth();
    }

    /** Its protection domain. */
    public ProtectionDomain domain() {
        return domain;
    }

    /**
     * Posts a receive.
     *
     * @return false when the queue is full: nothing was posted
     */
    public boolean postReceive(ReceiveWorkRequest request) {
        refuseIfClosed("post a receive");
        return poster.post(request);
    }

    /** Posts a receive of one piece; false when the queue is full. */
    public boolean postReceive(long wrId, int lkey, long offset, int length) {
        refuseIfClosed("post a receive");
        return poster.post(wrId, lkey, offset, length);
    }

    /**
     * Asks for one {@link AsyncEvent.SharedReceivesLow} when a message leaves fewer than {@code receives} posted; 0
     * asks for none.
     */
    public void armLimit(int receives) {
        refuseIfClosed("arm a limit of " + receives);
        if (receives < 0 || receives > ring.depth()) {
            throw new VerbsException(
                    toString(), "arm a limit of " + receives, "0 to its depth", "change the limit, or the depth");
        }
        armed = receives;
        ring.lowWater(receives);
    }

    /** Fewer receives are left than was asked to be told of. Endpoint thread. */
    private void onLow() {
        domain.device().events().happened(new AsyncEvent.SharedReceivesLow(this, armed));
    }

    SharedReceiveRing ring() {
        return ring;
    }

    void joined(QueuePair user) {
        users.add(user);
    }

    void left(QueuePair user) {
        users.remove(user);
    }

    private void refuseIfClosed(String asked) {
        if (closed.get()) {
            throw new VerbsException(toString(), asked, "the queue is closed", "make another one");
        }
    }

    /** Closes the queue pairs that use it, then the queue. Does nothing the second time. */
    @Override
    public void close() {
        if (domain.device().engine().closes(this, closed)) {
            users.all().forEach(QueuePair::close);
            domain.forget(this);
        }
    }

    @Override
    public String toString() {
        return "SRQ " + number + " (depth " + ring.depth() + (closed.get() ? ", closed)" : ")");
    }
}
