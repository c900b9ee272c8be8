package io.metaroce.sim.light;

import io.metaroce.datagram.Ecn;
import io.metaroce.datagram.TrafficClass;
import io.metaroce.sim.Addressing;
import io.metaroce.sim.Attachment;
import io.metaroce.sim.EdgeNode;
import io.metaroce.sim.PacketPool;
import io.metaroce.sim.SimTime;
import io.metaroce.sim.World;

/**
 * The simplest sender and receiver there is: a window of packets to one peer, source ports in turn, one answer for
 * every few packets. It repairs nothing, so the fabric it runs on must lose nothing.
 */
public final class LightHost implements EdgeNode {
    private static final int HEADER_BYTES = 48;
    private static final int ANSWER_BYTES = 56;
    private static final int FIRST_ENTROPY = 0;

    private final World world;
    private final Attachment place;
    private final Load load;
    private int peer;
    private long left;
    private int inFlight;
    private int port;
    private long sent;
    private long received;
    private int unanswered;

    /**
     * What every host sends.
     *
     * @param packetBytes UDP payload of a packet
     * @param windowPackets packets on the way at once, at most
     * @param ports source ports, used in turn
     * @param packetsPerAnswer packets a receiver takes before it answers
     */
    public record Load(int packetBytes, int windowPackets, int ports, int packetsPerAnswer) {
        /** Checks the bounds. */
        public Load {
            if (packetBytes <= ANSWER_BYTES || ports < 1 || packetsPerAnswer < 1 || windowPackets < packetsPerAnswer) {
                throw new IllegalArgumentException("packets of " + packetBytes + " bytes must be longer than "
                        + ANSWER_BYTES + ", and the window of " + windowPackets + " no less than " + packetsPerAnswer);
            }
        }
    }

    private LightHost(Attachment place, Load load) {
        this.world = place.world();
        this.place = place;
        this.load = load;
    }

    /** Puts a light host on a place of the fabric; it answers, and sends when it is told. */
    public static LightHost attach(Attachment place, Load load) {
        LightHost host = new LightHost(place, load);
        place.attach(host);
        return host;
    }

    /** Sends so many packets to a peer from now on; their number must be a multiple of the packets per answer. */
    public void sends(LightHost to, long packets) {
        if (packets % load.packetsPerAnswer() != 0) {
            throw new IllegalArgumentException(packets + " packets would leave some without an answer; take a multiple"
                    + " of " + load.packetsPerAnswer());
        }
        peer = to.place.node();
        left = packets;
        place.rekey();
    }

    /** Data packets that have arrived here. */
    public long receivedPackets() {
        return received;
    }

    /** Whether everything it was told to send has been answered. */
    public boolean isDone() {
        return left == 0 && inFlight == 0;
    }

    @Override
    public void onArrival(long timePs, int packet) {
        PacketPool packets = world.packets();
        boolean isData = packets.trafficClass(packet) == TrafficClass.DATA;
        int from = packets.source(packet);
        packets.release(packet);
        if (!isData) {
            inFlight -= load.packetsPerAnswer();
            return;
        }
        received++;
        if (++unanswered == load.packetsPerAnswer()) {
            unanswered = 0;
            send(timePs, TrafficClass.CONTROL, ANSWER_BYTES, from);
        }
    }

    @Override
    public void onWake(long timePs) {
        if (hasWork() && place.port(0).hasRoom(timePs)) {
            left--;
            inFlight++;
            sent++;
            send(timePs, TrafficClass.DATA, load.packetBytes(), peer);
        }
    }

    @Override
    public long nextWakePs() {
        return hasWork() ? place.port(0).freeAtPs() : SimTime.NEVER;
    }

    private boolean hasWork() {
        return left > 0 && inFlight < load.windowPackets();
    }

    private void send(long timePs, TrafficClass trafficClass, int bytes, int to) {
        PacketPool packets = world.packets();
        int packet = packets.take(HEADER_BYTES, bytes);
        packets.bytes(packet).putLong(packets.offset(packet), sent);
        packets.ecn(packet, Ecn.ECT_0);
        packets.trafficClass(packet, trafficClass);
        port = port + 1 == load.ports() ? FIRST_ENTROPY : port + 1;
        packets.address(packet, place.node(), Addressing.FIRST_SOURCE_PORT + port, to, Addressing.SERVICE_PORT);
        place.port(0).send(timePs, packet);
    }
}
