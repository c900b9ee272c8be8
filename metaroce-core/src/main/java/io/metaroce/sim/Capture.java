package io.metaroce.sim;

import io.metaroce.capture.Envelope;
import io.metaroce.datagram.Address;

/**
 * Taps NICs and writes what passes into a capture file: at one host both directions, as tcpdump there would see them,
 * or at all hosts everything that is sent.
 */
public final class Capture implements PacketObserver {
    private static final int EVERYWHERE = -1;

    private final World world;
    private final PcapWriter writer;
    private final int node;

    private Capture(World world, PcapWriter writer, int node) {
        this.world = world;
        this.writer = writer;
        this.node = node;
    }

    /** What every host sends, lost packets included. */
    public static Capture everywhere(World world, PcapWriter writer) {
        return start(world, new Capture(world, writer, EVERYWHERE));
    }

    /** What one host sends and receives. */
    public static Capture at(Host host, PcapWriter writer) {
        World world = host.world();
        return start(world, new Capture(world, writer, host.attachment().node()));
    }

    private static Capture start(World world, Capture capture) {
        if (world.payload() == WorldConfig.Payload.PHANTOM) {
            throw new IllegalStateException("there is no payload to capture; change WorldConfig.payload");
        }
        world.observe(capture);
        return capture;
    }

    @Override
    public void sent(long timePs, int from, int packet) {
        if (node == EVERYWHERE || node == from) {
            write(timePs, packet);
        }
    }

    @Override
    public void delivered(long timePs, int to, int packet) {
        if (node == to) {
            write(timePs, packet);
        }
    }

    private void write(long timePs, int packet) {
        PacketPool packets = world.packets();
        int plane = packets.plane(packet);
        Address source = Addressing.of(plane, packets.source(packet), packets.sourcePort(packet));
        int to = packets.destination(packet);
        Address destination = to < 0
                ? Address.ipv4(0, packets.destinationPort(packet))
                : Addressing.of(plane, to, packets.destinationPort(packet));
        writer.write(
                new Envelope(
                        SimTime.toNs(timePs), source, destination, packets.trafficClass(packet), packets.ecn(packet)),
                packets.bytes(packet),
                packets.offset(packet),
                packets.length(packet));
    }
}
