package io.metaroce.sim;

/** The book of where packets went: what was sent or copied has been delivered, or lost, or is still on its way. */
public final class Conservation {
    private final World world;
    private long sent;
    private long copied;
    private long delivered;
    private long dropped;

    Conservation(World world) {
        this.world = world;
    }

    void sent() {
        sent++;
    }

    void copied() {
        copied++;
    }

    void delivered() {
        delivered++;
    }

    void dropped() {
        dropped++;
    }

    /** Packets handed to NICs. */
    public long sentPackets() {
        return sent;
    }

    /** Copies the fabric made. */
    public long copiedPackets() {
        return copied;
    }

    /** Packets given to hosts. */
    public long deliveredPackets() {
        return delivered;
    }

    /** Packets lost. */
    public long droppedPackets() {
        return dropped;
    }

    /** Packets on links or waiting in paused hosts, by this book. */
    public long underWayPackets() {
        return sent + copied - delivered - dropped;
    }

    /** Says what does not add up, or an empty string. */
    public String fault() {
        long counted = world.fabric().packetsUnderWay();
        if (counted != underWayPackets()) {
            return "sent " + sent + " + copied " + copied + " - delivered " + delivered + " - dropped " + dropped
                    + " = " + underWayPackets() + ", but " + counted + " packets are under way";
        }
        return "";
    }
}
