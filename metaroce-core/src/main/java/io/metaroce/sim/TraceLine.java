package io.metaroce.sim;

import io.metaroce.datagram.Ecn;
import io.metaroce.wire.BaseHeader;
import io.metaroce.wire.Opcode;
import java.nio.ByteBuffer;
import java.util.Locale;

/** One line of text about one packet. */
final class TraceLine {
    private TraceLine() {}

    /** What happened to a packet now. */
    static String of(World world, String what, int packet) {
        PacketPool packets = world.packets();
        return time(world.nowPs())
                + String.format(
                        Locale.ROOT,
                        " %-12s p%d %d:%d>%d:%d %s%s%s ",
                        what,
                        packets.plane(packet),
                        packets.source(packet),
                        packets.sourcePort(packet),
                        packets.destination(packet),
                        packets.destinationPort(packet),
                        packets.ecn(packet) == Ecn.CE ? "CE " : "",
                        packets.isCorrupted(packet) ? "CORRUPTED " : "",
                        packets.isCopy(packet) ? "COPY " : "")
                + text(packets.bytes(packet), packets.offset(packet), packets.length(packet));
    }

    /** Nanoseconds with three decimals. */
    static String time(long ps) {
        return String.format(Locale.ROOT, "%12d.%03d ns", ps / SimTime.NS, ps % SimTime.NS);
    }

    private static String text(ByteBuffer bytes, int at, int length) {
        if (length < BaseHeader.LENGTH) {
            return length + " bytes";
        }
        BaseHeader base = new BaseHeader().wrap(bytes, at);
        return String.format(
                Locale.ROOT,
                "%s conn %08x path %d epoch %d psn %d stamp %d%s%s, %d bytes",
                Opcode.name(base.opcode()),
                base.dstConnId(),
                base.pathId(),
                base.pathEpoch(),
                base.psn(),
                base.txStamp(),
                base.isResent() ? " R" : "",
                base.wantsAck() ? " A" : "",
                length);
    }
}
