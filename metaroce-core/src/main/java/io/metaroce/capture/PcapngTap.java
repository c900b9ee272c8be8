package io.metaroce.capture;

import io.metaroce.datagram.Address;
import io.metaroce.datagram.Datagram;
import io.metaroce.datagram.Ecn;
import io.metaroce.datagram.Route;
import io.metaroce.datagram.TrafficClass;
import io.metaroce.datagram.Transmit;
import io.metaroce.engine.EndpointHost;
import io.metaroce.engine.PacketTap;
import io.metaroce.wire.Opcode;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * Writes what an endpoint sends and receives as a capture file that Wireshark reads, one interface per plane. No keys
 * are written: encrypted packets stay so.
 */
public final class PcapngTap implements PacketTap {
    private static final int PLANES = 16;
    private static final int OPCODE_AT = 1;

    private final EndpointHost host;
    private final PcapngWriter writer;
    private final ByteBuffer scratch = ByteBuffer.allocate(1 << 16);
    private final IntFunction<Address> local;

    private PcapngTap(EndpointHost host, PcapngWriter writer) {
        this.host = host;
        this.writer = writer;
        this.local = plane -> host.sourceAddress(plane, Route.SERVICE);
    }

    /** Begins a capture of {@code host}; the caller hands it to {@link EndpointHost#tap} and closes the stream. */
    public static PcapngTap of(EndpointHost host, OutputStream out) {
        List<String> planes =
                IntStream.range(0, PLANES).mapToObj(plane -> "plane" + plane).toList();
        return new PcapngTap(host, new PcapngWriter(out, "endpoint " + host.localAddress(), planes));
    }

    @Override
    public void sent(long nowNs, Transmit packet) {
        packet.copyTo(scratch, 0);
        Route route = packet.route();
        Envelope envelope = new Envelope(
                host.epochNs() + nowNs,
                host.sourceAddress(route.plane(), route.entropy()),
                route.remote(),
                packet.trafficClass(),
                Ecn.ECT_0);
        writer.write(route.plane(), envelope, PcapngWriter.Direction.OUTBOUND, scratch, 0, packet.length());
    }

    @Override
    public void received(long nowNs, Datagram datagram) {
        Envelope envelope = new Envelope(
                host.epochNs() + nowNs,
                datagram.source(),
                local.apply(datagram.plane()),
                classOf(datagram),
                datagram.ecn());
        writer.write(
                datagram.plane(),
                envelope,
                PcapngWriter.Direction.INBOUND,
                datagram.buffer(),
                datagram.offset(),
                datagram.length());
    }

    @Override
    public void settled(long nowNs, io.metaroce.engine.Endpoint endpoint) {
        writer.flush();
    }

    private static TrafficClass classOf(Datagram datagram) {
        boolean hasOpcode = datagram.length() > OPCODE_AT;
        int opcode = hasOpcode ? datagram.buffer().get(datagram.offset() + OPCODE_AT) & 0xFF : 0;
        return Opcode.isSlot(opcode) || opcode == Opcode.PROBE ? TrafficClass.DATA : TrafficClass.CONTROL;
    }
}
