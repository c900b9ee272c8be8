package io.metaroce.sim;

import io.metaroce.datagram.TrafficClass;
import io.metaroce.num.SplitMix64;

/** Sends packets of one size to node 1 at random instants, or counts how long those take that arrive. */
final class PoissonNode implements EdgeNode {
    static final int WIRE_BYTES = 1000;
    static final long SERVICE_PS = WIRE_BYTES * 80L; // on a link of 100 Gbit/s;

    private final World world;
    private final Attachment place;
    private final SplitMix64 stream;
    private final double meanGapPs;
    private int left;
    private double nextPs;
    private long arrived;
    private long delaySumPs;

    PoissonNode(World world, Attachment place, String streamName, int loadPercent, int packets) {
        this.world = world;
        this.place = place;
        this.left = packets;
        meanGapPs = SERVICE_PS * 100.0 / loadPercent;
        stream = world.seeds().stream(streamName, place.node());
        nextPs = gapPs();
        place.attach(this);
    }

    @Override
    public void onArrival(long timePs, int packet) {
        arrived++;
        delaySumPs += timePs - world.packets().sentPs(packet);
        world.packets().release(packet);
    }

    @Override
    public void onWake(long timePs) {
        if (left > 0 && nextPs <= timePs) {
            left--;
            nextPs += gapPs();
            int packet = world.packets().take(8, WIRE_BYTES - PacketPool.OVERHEAD_BYTES);
            world.packets().trafficClass(packet, TrafficClass.CONTROL); // may wait in the NIC for a moment
            world.packets().address(packet, place.node(), 1, 1, 2);
            place.port(0).send(timePs, packet);
        }
    }

    @Override
    public long nextWakePs() {
        return left > 0 ? (long) Math.ceil(nextPs) : SimTime.NEVER;
    }

    /** Packets still to be sent. */
    int left() {
        return left;
    }

    /** Packets that have come. */
    long arrived() {
        return arrived;
    }

    /** How long those were under way, added up. */
    long delaySumPs() {
        return delaySumPs;
    }

    private double gapPs() {
        double uniform = ((stream.nextLong() >>> 11) + 1) * 0x1.0p-53;
        return -meanGapPs * Math.log(uniform);
    }
}
