package io.metaroce.sim;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A place at the edge of the fabric: the NIC with one port per plane, and the node that sits behind it.
 *
 * <p>While the node is paused, arrivals wait in a ring of stated size and wakes are put off; at the end of the pause it
 * gets everything at once.
 */
public final class Attachment implements LinkTarget, Woken {
    private final World world;
    private final String name;
    private final int node;
    private final int turn;
    private final int leaf;
    private final int rxRingPackets;
    private final PacketQueue ring;
    private final NicPort[] ports;
    private final List<DropMask> masks = new ArrayList<>();
    private @Nullable EdgeNode edge;
    private boolean isClosed;
    private int incarnation;

    private long pausedUntilPs;
    private int ringCount;

    Attachment(World world, String name, int node, int planes, NicConfig config) {
        this.world = world;
        this.name = name;
        this.node = node;
        this.rxRingPackets = config.rxRingPackets();
        this.ring = new PacketQueue(world.packets());
        this.turn = world.addNode();
        this.leaf = world.addLeaf(this, turn);
        ports = new NicPort[planes];
        for (int plane = 0; plane < planes; plane++) {
            ports[plane] = new NicPort(world, this, plane, config);
        }
    }

    /** The world it belongs to. */
    public World world() {
        return world;
    }

    /** Whether everything that arrives is dropped. */
    boolean isClosed() {
        return isClosed;
    }

    /** Name of the node. */
    public String name() {
        return name;
    }

    /** Number of the node. */
    public int node() {
        return node;
    }

    /** Number of planes. */
    public int planes() {
        return ports.length;
    }

    /** The port of one plane. */
    public NicPort port(int plane) {
        return ports[plane];
    }

    /** Puts a node here. */
    public void attach(EdgeNode value) {
        if (edge != null) {
            throw new IllegalStateException(name + " has a node already");
        }
        edge = value;
        rekey();
    }

    /** Takes the node away, as a crash would: it does nothing more, and another may come to its place. */
    void detach() {
        edge = null;
        isClosed = false;
        incarnation++;
        rekey();
    }

    /** How many nodes have been here before the one that is. */
    int incarnation() {
        return incarnation;
    }

    /** Whether a node is here. */
    public boolean isAttached() {
        return edge != null;
    }

    /** The node has changed its mind about when it wants to be woken. */
    public void rekey() {
        EdgeNode here = edge;
        long wake = here == null ? SimTime.NEVER : here.nextWakePs();
        if (world.nowPs() < pausedUntilPs) {
            wake = pausedUntilPs;
        }
        world.wakes(leaf, wake);
    }

    /** From now on every packet that arrives is dropped. */
    void close() {
        isClosed = true;
    }

    @Override
    public void onArrival(long timePs, Link over, int packet) {
        EdgeNode here = edge;
        if (here == null || isClosed) {
            world.dropped(timePs, over.id(), name, packet, here == null ? DropCause.NO_ROUTE : DropCause.CLOSED);
        } else if (timePs < pausedUntilPs || ringCount > 0) {
            hold(timePs, over, packet);
        } else {
            world.delivered(node, over.id(), packet);
            here.onArrival(timePs, packet);
            rekey();
        }
    }

    @Override
    public int turn() {
        return turn;
    }

    @Override
    public void onWake(long timePs) {
        EdgeNode here = edge;
        if (here == null || timePs < pausedUntilPs) {
            rekey();
            return;
        }
        while (!ring.isEmpty()) {
            int packet = ring.take();
            ringCount--;
            if (isClosed) {
                world.dropped(timePs, dropId(), name, packet, DropCause.CLOSED);
            } else {
                world.delivered(node, dropId(), packet);
                here.onArrival(timePs, packet);
            }
        }
        here.onWake(timePs);
        rekey();
    }

    /** Stops the node for a while, as a long garbage collection would. */
    void pause(long nowPs, long ps) {
        pausedUntilPs = Math.max(pausedUntilPs, nowPs + ps);
        rekey();
    }

    void mask(DropMask mask) {
        masks.add(mask);
    }

    void heal() {
        for (NicPort port : ports) {
            port.heal();
        }
    }

    boolean isMasked(int packet) {
        boolean masked = false;
        for (int i = 0; i < masks.size(); i++) {
            masked |= masks.get(i).counts(world.packets(), packet);
        }
        return masked;
    }

    int packetsHeld() {
        return ringCount;
    }

    // A number of its own in the trace hash, apart from those of links.
    int dropId() {
        return -1 - node;
    }

    private void hold(long timePs, Link over, int packet) {
        if (ringCount == rxRingPackets) {
            world.dropped(timePs, over.id(), name, packet, DropCause.RING);
            return;
        }
        ring.append(packet);
        ringCount++;
    }
}
