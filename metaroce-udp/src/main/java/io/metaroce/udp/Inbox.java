package io.metaroce.udp;

import io.netty.channel.socket.DatagramPacket;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ObjIntConsumer;

/**
 * Packets that another loop has read for this one. Bounded: when it is full a packet is lost, as it would be in a full
 * socket, and counted.
 *
 * <p>Thread rule: {@link #offer} from any event loop, the rest on the loop of the endpoint.
 */
final class Inbox {
    /** Packets that may wait. */
    static final int PACKETS_MAX = 4096;

    private record Parcel(int plane, DatagramPacket packet) {}

    private final ArrayBlockingQueue<Parcel> parcels;
    private final AtomicBoolean isWoken = new AtomicBoolean();
    private final AtomicLong handedOver = new AtomicLong();
    private final AtomicLong dropped = new AtomicLong();
    private final Executor loop;
    private final ObjIntConsumer<DatagramPacket> taker;
    private final Runnable passDue;
    private final Runnable emptyTask = this::empty;

    /**
     * An inbox.
     *
     * @param taker takes a packet that has arrived on a plane
     * @param passDue called after the last one
     */
    Inbox(Executor loop, int packetsMax, ObjIntConsumer<DatagramPacket> taker, Runnable passDue) {
        this.loop = loop;
        this.parcels = new ArrayBlockingQueue<>(packetsMax);
        this.taker = taker;
        this.passDue = passDue;
    }

    /** Takes a copy of the packet. */
    void offer(int plane, DatagramPacket packet) {
        DatagramPacket copy = packet.copy();
        if (!parcels.offer(new Parcel(plane, copy))) {
            boolean unused = copy.release();
            dropped.incrementAndGet();
            return;
        }
        handedOver.incrementAndGet();
        if (isWoken.compareAndSet(false, true)) {
            try {
                loop.execute(emptyTask);
            } catch (RejectedExecutionException e) {
                // The loop has ended and its endpoint with it: nobody waits for these packets.
                discard();
            }
        }
    }

    /** Packets that other loops have handed over. */
    long handedOver() {
        return handedOver.get();
    }

    /** Packets that were lost because the inbox was full. */
    long dropped() {
        return dropped.get();
    }

    private void empty() {
        // Cleared before looking: whoever offers from now on is seen now or wakes the loop again.
        isWoken.set(false);
        Parcel next = parcels.poll();
        while (next != null) {
            try {
                taker.accept(next.packet(), next.plane());
            } finally {
                boolean unused = next.packet().release();
            }
            next = parcels.poll();
        }
        passDue.run();
    }

    private void discard() {
        Parcel next = parcels.poll();
        while (next != null) {
            boolean unused = next.packet().release();
            next = parcels.poll();
        }
    }
}
