package io.metaroce.sim;

import io.metaroce.datagram.Ecn;
import io.metaroce.num.SplitMix64;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/** A node for tests: sends numbered packets when told to, remembers what comes, answers if it is to. */
final class ToyNode implements EdgeNode {
    private static final byte[] ZEROS = new byte[1 << 16];

    private final World world;
    private final Attachment place;
    private final List<Long> arrivals = new ArrayList<>();
    private final List<Long> arrivedAt = new ArrayList<>();
    private final List<Ecn> codepoints = new ArrayList<>();
    private int toSend;
    private int sendBytes;
    private int peer;
    private long sendPs = SimTime.NEVER;
    private LongSupplier ports = () -> 0;
    private long number;
    private int answersLeft;
    private int plane;

    private ToyNode(World world, Attachment place) {
        this.world = world;
        this.place = place;
    }

    static ToyNode on(Fabric fabric, String name) {
        ToyNode node = new ToyNode(fabric.world(), fabric.attachment(name));
        node.place.attach(node);
        return node;
    }

    /** Sends {@code count} packets of {@code bytes} bytes on the wire to a peer, as fast as the port takes them. */
    ToyNode sends(int count, int bytes, ToyNode to) {
        toSend = count;
        sendBytes = bytes - PacketPool.OVERHEAD_BYTES;
        peer = to.place.node();
        sendPs = world.nowPs();
        place.rekey();
        return this;
    }

    /** Draws a source port for every packet. */
    ToyNode fromRandomPorts(int count) {
        SplitMix64 stream = world.seeds().stream("toy.ports", place.node());
        ports = () -> stream.nextInt(count);
        return this;
    }

    ToyNode fromPorts(LongSupplier value) {
        ports = value;
        return this;
    }

    ToyNode fromPort(int entropy) {
        ports = () -> entropy;
        return this;
    }

    ToyNode onPlane(int value) {
        plane = value;
        return this;
    }

    /** Answers so many packets, each with one of the same size. */
    ToyNode answers(int count) {
        answersLeft = count;
        return this;
    }

    List<Long> arrivals() {
        return arrivals;
    }

    List<Long> arrivedAt() {
        return arrivedAt;
    }

    List<Ecn> codepoints() {
        return codepoints;
    }

    @Override
    public void onArrival(long timePs, int packet) {
        PacketPool packets = world.packets();
        arrivals.add(packets.bytes(packet).getLong(packets.offset(packet)));
        arrivedAt.add(timePs);
        codepoints.add(packets.ecn(packet));
        if (answersLeft > 0) {
            answersLeft--;
            toSend++;
            sendBytes = packets.length(packet);
            peer = packets.source(packet);
            sendPs = timePs;
        }
        packets.release(packet);
    }

    @Override
    public void onWake(long timePs) {
        if (toSend > 0 && place.port(plane).hasRoom(timePs)) {
            toSend--;
            PacketPool packets = world.packets();
            int packet = packets.take(sendBytes);
            int at = packets.offset(packet);
            packets.bytes(packet).put(at, ZEROS, 0, sendBytes);
            packets.bytes(packet).putLong(at, number++);
            packets.ecn(packet, Ecn.ECT_0);
            int port = Addressing.FIRST_SOURCE_PORT + (int) ports.getAsLong();
            packets.address(packet, place.node(), port, peer, Addressing.SERVICE_PORT);
            place.port(plane).send(timePs, packet);
        }
        sendPs = toSend > 0 ? place.port(plane).freeAtPs() : SimTime.NEVER;
    }

    @Override
    public long nextWakePs() {
        return toSend > 0 ? Math.max(sendPs, place.port(plane).freeAtPs()) : SimTime.NEVER;
    }
}
