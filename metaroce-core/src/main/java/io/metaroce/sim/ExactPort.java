package io.metaroce.sim;

import io.metaroce.datagram.TrafficClass;
import org.jspecify.annotations.Nullable;

/**
 * A port of a switch with explicit departures: two events a hop, where a {@link Link} alone takes one. It is needed for
 * whatever depends on the instant at which a packet leaves: buffers that ports share, pauses, reports that leave first,
 * marks by the queue that is left behind.
 *
 * <p>Two lists, reports and data; one of them when reports do not leave first. While a packet waits here its record
 * says over which link it came.
 */
final class ExactPort implements Woken, Pausable {
    private final World world;
    private final PacketPool packets;
    private final Link link;
    private final int turn;
    private final int leaf;
    private final PortConfig config;
    private final @Nullable SharedBuffer buffer;
    private final @Nullable PfcIngress[] ingress; // by link; of every switch
    private final PacketQueue control;
    private final PacketQueue data;
    private int held;
    private long heldBytes; // with the packet that is being sent
    private long waitingBytes; // without it
    private int sending = PacketPool.NONE;
    private long departsPs; // the packet that is being sent
    private long freeAtPs; // later than that when a pause goes first
    private long phantomFreeAtPs;
    private boolean holds;

    ExactPort(Link link, int turn, PortConfig config, @Nullable SharedBuffer buffer, @Nullable PfcIngress[] ingress) {
        this.world = link.world();
        this.packets = world.packets();
        this.link = link;
        this.config = config;
        this.buffer = buffer;
        this.ingress = ingress;
        this.turn = turn;
        control = new PacketQueue(packets);
        data = new PacketQueue(packets);
        leaf = world.addLeaf(this, turn);
    }

    /** Packets waiting or being sent. */
    int held() {
        return held;
    }

    /** How long a packet that came now would wait if nothing were held back, in ps. */
    long waitPs(long nowPs) {
        return link.serialPs(waitingBytes) + Math.max(0, freeAtPs - nowPs);
    }

    /** Takes a packet that has come now, or drops it. */
    void enqueue(long nowPs, int packet) {
        departIfDue(nowPs);
        int bytes = packets.wireBytes(packet);
        long waitPs = waitPs(nowPs);
        if (!takes(nowPs, packet, bytes, waitPs)) {
            link.drop(nowPs, packet, DropCause.QUEUE);
            return;
        }
        link.counters().waitMaxPs = Math.max(link.counters().waitMaxPs, waitPs);
        held++;
        heldBytes += bytes;
        waitingBytes += bytes;
        if (!config.marksAtDequeue()) {
            link.markBy(packet, config.phantomPercent() == 100 ? waitPs : phantomWaitPs(nowPs, bytes));
        }
        (leavesFirst(packet) ? control : data).append(packet);
        if (sending == PacketPool.NONE) {
            sendNext(nowPs);
        }
    }

    @Override
    public void onWake(long nowPs) {
        departIfDue(nowPs);
    }

    @Override
    public void pause(long nowPs, boolean value) {
        departIfDue(nowPs);
        holds = value;
        if (sending == PacketPool.NONE) {
            sendNext(nowPs);
        }
    }

    @Override
    public int turn() {
        return turn;
    }

    /** Sends so many bytes of its own as soon as what is being sent has left. Returns when they have left, in ps. */
    long interject(long nowPs, int bytes) {
        freeAtPs = Math.max(nowPs, freeAtPs) + link.serialPs(bytes);
        return freeAtPs;
    }

    /** The link has been cut: everything here is lost. */
    void flush(long nowPs) {
        if (sending != PacketPool.NONE) {
            int packet = sending;
            sending = PacketPool.NONE;
            lose(nowPs, packet);
        }
        while (!control.isEmpty() || !data.isEmpty()) {
            int packet = (control.isEmpty() ? data : control).take();
            waitingBytes -= packets.wireBytes(packet);
            lose(nowPs, packet);
        }
        freeAtPs = Math.min(freeAtPs, nowPs);
        world.rekey(leaf, SimTime.NEVER);
    }

    private void lose(long nowPs, int packet) {
        leave(nowPs, packet);
        link.drop(nowPs, packet, DropCause.DOWN);
    }

    private void departIfDue(long nowPs) {
        if (sending != PacketPool.NONE && departsPs <= nowPs) {
            int packet = sending;
            sending = PacketPool.NONE;
            leave(nowPs, packet);
            link.launch(nowPs, packet);
            sendNext(nowPs);
        }
    }

    private void sendNext(long nowPs) {
        if (!control.isEmpty()) {
            send(nowPs, control.take());
        } else if (!data.isEmpty() && !holds) {
            send(nowPs, data.take());
        } else {
            world.rekey(leaf, SimTime.NEVER);
        }
    }

    private void send(long nowPs, int packet) {
        int bytes = packets.wireBytes(packet);
        waitingBytes -= bytes;
        departsPs = Math.max(nowPs, freeAtPs) + link.serialPs(bytes);
        freeAtPs = departsPs;
        sending = packet;
        if (config.marksAtDequeue()) {
            link.markBy(packet, link.serialPs(waitingBytes));
        }
        world.rekey(leaf, departsPs);
    }

    private boolean takes(long nowPs, int packet, int bytes, long waitPs) {
        if (config.pfc() != null) {
            return leavesFirst(packet) || ingressOf(packet).take(nowPs, bytes);
        }
        if (buffer == null) {
            return waitPs == 0 || waitPs + link.serialPs(bytes) <= link.limitPs();
        }
        boolean takes = buffer.takes(heldBytes, bytes);
        buffer.take(takes ? bytes : 0);
        return takes;
    }

    private void leave(long nowPs, int packet) {
        int bytes = packets.wireBytes(packet);
        held--;
        heldBytes -= bytes;
        if (config.pfc() == null) {
            if (buffer != null) {
                buffer.give(bytes);
            }
        } else if (!leavesFirst(packet)) {
            ingressOf(packet).give(nowPs, bytes);
        }
    }

    private PfcIngress ingressOf(int packet) {
        PfcIngress one = ingress[packets.ingress(packet)];
        if (one == null) {
            throw new IllegalStateException(
                    link.name().text() + " sends a packet that came over no link of its switch");
        }
        return one;
    }

    private boolean leavesFirst(int packet) {
        return config.controlFirst() && packets.trafficClass(packet) == TrafficClass.CONTROL;
    }

    private long phantomWaitPs(long nowPs, int bytes) {
        long waitPs = Math.max(0, phantomFreeAtPs - nowPs);
        phantomFreeAtPs = nowPs + waitPs + link.serialPs(bytes) * 100 / config.phantomPercent();
        return waitPs;
    }
}
