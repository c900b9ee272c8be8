package io.metaroce.udp;

import io.metaroce.datagram.Route;
import io.metaroce.datagram.TrafficClass;
import io.metaroce.datagram.Transmit;
import io.metaroce.engine.TransmitPort;
import io.metaroce.num.Deadline;
import io.metaroce.num.Entropy;
import io.metaroce.udp.FaultControl.Orders;
import io.metaroce.udp.FaultControl.Tally;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.LongSupplier;

/**
 * Does to packets what a bad network does, between the engine and the sockets: before packets are joined into segmented
 * sends, so each meets its own fate. Every kind of fault draws from its own seeded generator; equal seeds and equal
 * packets meet equal fates.
 *
 * <p>Thread rule: the event loop; {@link FaultControl} is the part for other threads.
 */
final class FaultInjector implements TransmitPort {
    private static final int HELD_BYTES_MAX = 64 << 20;
    // A packet held back until others pass does not wait for them longer than this.
    private static final long REORDER_WAIT_NS_MAX = 2_000_000;

    private final TransmitPort next;
    private final FaultControl control;
    private final LongSupplier passNow;

    private final Entropy lossDraws;
    private final Entropy duplicateDraws;
    private final Entropy reorderDraws;
    private final Entropy corruptDraws;
    private final Entropy jitterDraws;

    private final PriorityQueue<Held> delayed = new PriorityQueue<>(Held::order);
    private final List<Held> overtaken = new ArrayList<>();
    private final Transmit replay = new Transmit();
    private long heldBytes;
    private long sequence;

    FaultInjector(TransmitPort next, FaultControl control, LongSupplier passNow, Entropy entropy) {
        this.next = next;
        this.control = control;
        this.passNow = passNow;
        this.lossDraws = entropy.split("loss", 0);
        this.duplicateDraws = entropy.split("duplicate", 0);
        this.reorderDraws = entropy.split("reorder", 0);
        this.corruptDraws = entropy.split("corrupt", 0);
        this.jitterDraws = entropy.split("jitter", 0);
    }

    @Override
    public int planesWithRoom() {
        return next.planesWithRoom();
    }

    @Override
    public void flush() {
        next.flush();
    }

    @Override
    public void send(Transmit packet) {
        Orders orders = control.orders();
        if (orders.isNothing() && overtaken.isEmpty()) {
            next.send(packet);
            return;
        }
        long nowNs = passNow.getAsLong();
        judge(nowNs, packet, orders);
        letOvertakenPass();
    }

    /** Sends what was held and is due. Called at the start of a quiesce. */
    void release(long nowNs) {
        while (!delayed.isEmpty() && delayed.peek().dueNs <= nowNs && hasRoom(delayed.peek())) {
            forward(delayed.poll());
        }
        if (overtaken.isEmpty()) {
            return; // asking for an iterator allocates, in every pass
        }
        for (Iterator<Held> each = overtaken.iterator(); each.hasNext(); ) {
            Held held = each.next();
            if (held.dueNs <= nowNs && hasRoom(held)) {
                each.remove();
                forward(held);
            }
        }
    }

    /** When {@link #release} has something to do, or {@link Deadline#NEVER}. */
    long nextDueNs() {
        long dueNs = delayed.isEmpty() ? Deadline.NEVER : delayed.peek().dueNs;
        for (int i = 0; i < overtaken.size(); i++) {
            dueNs = Math.min(dueNs, overtaken.get(i).dueNs);
        }
        return dueNs;
    }

    private void judge(long nowNs, Transmit packet, Orders orders) {
        for (int i = 0; i < orders.cuts().size(); i++) {
            if (orders.cuts().get(i).swallows(nowNs, packet)) {
                control.counted(Tally.CUT);
                return;
            }
        }
        FaultPlan plan = orders.plan();
        if (!isTarget(plan, packet)) {
            next.send(packet);
            return;
        }
        if (strikes(lossDraws, plan.loss())) {
            control.counted(Tally.LOST);
            return;
        }
        boolean isCorrupted = strikes(corruptDraws, plan.corrupt());
        boolean isDuplicated = strikes(duplicateDraws, plan.duplicate());
        boolean isOvertaken = strikes(reorderDraws, plan.reorder());
        long delayNs = plan.delayNs() + drawn(jitterDraws, plan.jitterNs());
        if (!isCorrupted && !isDuplicated && !isOvertaken && delayNs == 0) {
            control.counted(Tally.PASSED);
            next.send(packet);
            return;
        }
        Held held = new Held(packet, nowNs + delayNs, sequence++);
        if (isCorrupted) {
            control.counted(Tally.CORRUPTED);
            held.flipBit(corruptDraws.nextInt(held.length() * Byte.SIZE));
        }
        if (isDuplicated) {
            control.counted(Tally.DUPLICATED);
            hold(new Held(held, sequence++), delayNs);
        }
        if (isOvertaken) {
            control.counted(Tally.REORDERED);
            held.dueNs += REORDER_WAIT_NS_MAX;
            held.passesLeft = 1 + reorderDraws.nextInt(plan.reorderPackets());
            if (admitted(held)) {
                overtaken.add(held);
            }
        } else {
            hold(held, delayNs);
        }
    }

    private void hold(Held held, long delayNs) {
        if (delayNs == 0) {
            next.send(held.laidInto(replay));
        } else if (admitted(held)) {
            control.counted(Tally.DELAYED);
            delayed.add(held);
        }
    }

    private boolean admitted(Held held) {
        if (heldBytes + held.length() > HELD_BYTES_MAX) {
            control.counted(Tally.DISCARDED);
            return false;
        }
        heldBytes += held.length();
        return true;
    }

    /** One more packet has left: those that waited for it may be next. */
    private void letOvertakenPass() {
        for (Iterator<Held> each = overtaken.iterator(); each.hasNext(); ) {
            Held held = each.next();
            // The packet that began to wait just now has not been passed yet.
            if (held.isNew) {
                held.isNew = false;
            } else if (--held.passesLeft <= 0 && hasRoom(held)) {
                each.remove();
                forward(held);
            }
        }
    }

    private void forward(Held held) {
        heldBytes -= held.length();
        next.send(held.laidInto(replay));
    }

    private boolean hasRoom(Held held) {
        return (next.planesWithRoom() & (1 << held.route.plane())) != 0;
    }

    private static boolean isTarget(FaultPlan plan, Transmit packet) {
        return switch (plan.target()) {
            case ALL -> true;
            case DATA -> packet.trafficClass() == TrafficClass.DATA;
            case CONTROL -> packet.trafficClass() == TrafficClass.CONTROL;
        };
    }

    private static boolean strikes(Entropy draws, double share) {
        return share > 0 && (draws.nextLong() >>> 11) * 0x1.0p-53 < share;
    }

    private static long drawn(Entropy draws, long bound) {
        return bound == 0 ? 0 : Long.remainderUnsigned(draws.nextLong(), bound);
    }

    /** A packet that leaves later, or differently. */
    private static final class Held {
        private final ByteBuffer bytes;
        private final Route route;
        private final TrafficClass trafficClass;
        private final long sequence;
        private long dueNs;
        private int passesLeft;
        private boolean isNew = true;

        Held(Transmit packet, long dueNs, long sequence) {
            bytes = ByteBuffer.allocateDirect(packet.length());
            packet.copyTo(bytes, 0);
            route = packet.route();
            trafficClass = packet.trafficClass();
            this.dueNs = dueNs;
            this.sequence = sequence;
        }

        Held(Held twin, long sequence) {
            bytes = ByteBuffer.allocateDirect(twin.length());
            bytes.put(0, twin.bytes, 0, twin.length());
            route = twin.route;
            trafficClass = twin.trafficClass;
            dueNs = twin.dueNs;
            this.sequence = sequence;
        }

        static int order(Held one, Held other) {
            int byTime = Long.compare(one.dueNs, other.dueNs);
            return byTime != 0 ? byTime : Long.compare(one.sequence, other.sequence);
        }

        int length() {
            return bytes.capacity();
        }

        void flipBit(int index) {
            int at = index / Byte.SIZE;
            bytes.put(at, (byte) (bytes.get(at) ^ (1 << (index % Byte.SIZE))));
        }

        Transmit laidInto(Transmit out) {
            int body = length() - Transmit.TRAILER_BYTES;
            out.reset();
            out.payload(bytes, 0, body);
            out.trailer(bytes.getInt(body));
            out.trafficClass(trafficClass);
            out.route(route);
            return out;
        }
    }
}
