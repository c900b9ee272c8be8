package io.metaroce.sim;

import io.metaroce.datagram.Address;
import io.metaroce.datagram.AddressSource;
import io.metaroce.datagram.Datagram;
import io.metaroce.datagram.Ecn;
import io.metaroce.trace.DropReason;
import io.metaroce.wire.PacketView;
import io.metaroce.wire.model.PacketCodec;
import io.metaroce.wire.model.PacketPrinter;
import java.nio.ByteBuffer;
import java.util.Locale;

/** One line of text about one packet: when, what happened, on which plane, between which ports, and what it says. */
public final class TraceLine {
    private static final AddressSource NOWHERE = () -> Address.ipv4(0, 1);

    private final PacketView view = new PacketView();
    private final Datagram datagram = new Datagram();

    /** A writer of lines; reusable. */
    public TraceLine() {}

    /** What happened to a packet of a world now. */
    String of(World world, String what, int packet) {
        PacketPool packets = world.packets();
        String way = String.format(
                Locale.ROOT,
                " %-9s p%d %s:%d>%s:%d %s%s%s",
                what,
                packets.plane(packet),
                name(world, packets.source(packet)),
                packets.sourcePort(packet),
                name(world, packets.destination(packet)),
                packets.destinationPort(packet),
                packets.ecn(packet) == Ecn.CE ? "CE " : "",
                packets.isCorrupted(packet) ? "CORRUPTED " : "",
                packets.isCopy(packet) ? "COPY " : "");
        return time(world.nowPs()) + way + of(packets.bytes(packet), packets.offset(packet), packets.length(packet));
    }

    /** What {@code length} bytes of UDP payload at index {@code at} say. */
    public String of(ByteBuffer bytes, int at, int length) {
        datagram.set(bytes, at, length, 0, Ecn.UNKNOWN, NOWHERE);
        DropReason fault = view.open(datagram);
        if (fault == null) {
            fault = view.parse();
        }
        return fault == null
                ? PacketPrinter.line(PacketCodec.decode(view))
                : length + " bytes, no packet: " + fault.label();
    }

    /** Nanoseconds with three decimals. */
    static String time(long ps) {
        return String.format(Locale.ROOT, "%12d.%03d ns", ps / SimTime.NS, ps % SimTime.NS);
    }

    private static String name(World world, int node) {
        return node < 0 ? "nobody" : world.fabric().attachments().get(node).name();
    }
}
