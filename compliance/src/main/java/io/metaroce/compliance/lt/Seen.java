package io.metaroce.compliance.lt;

import io.metaroce.compliance.lt.codec.Packet;
import org.jspecify.annotations.Nullable;

/**
 * A packet in the ledger.
 *
 * @param atNs when the tester sent or got it
 * @param fromIut direction
 * @param plane plane it travelled on
 * @param port UDP source port
 * @param dscp class, 0 data, 1 control, -1 unknown
 * @param ecn ECN codepoint or {@link Wire#ECN_UNKNOWN}
 * @param raw UDP payload
 * @param decoded what it says; null when it cannot be read
 * @param drop why it cannot be accepted, or null
 * @param isLost the tester plays a network that has lost it
 */
@SuppressWarnings("ArrayRecordComponent") // compared by nobody; handed on, not changed
public record Seen(
        long atNs,
        boolean fromIut,
        int plane,
        int port,
        int dscp,
        int ecn,
        byte[] raw,
        @Nullable Packet decoded,
        @Nullable String drop,
        boolean isLost) {

    /** What it says. */
    public Packet packet() {
        if (decoded == null) {
            throw new IllegalStateException("a packet that cannot be read: " + drop);
        }
        return decoded;
    }

    /** Whether it is a packet of this name. */
    public boolean is(String name) {
        return decoded != null && decoded.is(name);
    }

    /** Its path, -1 when it cannot be read. */
    public int path() {
        return decoded == null ? -1 : (int) decoded.get("path_id");
    }

    /** Its slot or AckSeq. */
    public int psn() {
        return packet().int32("psn");
    }

    /** Its stamp. */
    public int stamp() {
        return packet().int32("tx_stamp");
    }

    /** Its epoch. */
    public int epoch() {
        return (int) packet().get("path_epoch");
    }

    /** Whether R is set. */
    public boolean isResent() {
        return packet().hasFlags(Packet.R);
    }

    /** One line for people. */
    public String line() {
        return String.format(
                java.util.Locale.ROOT,
                "%,12d ns  %s%s plane %d port %d  %s%s",
                atNs,
                fromIut ? "IUT ->" : "-> IUT",
                isLost ? " (lost)" : "",
                plane,
                port,
                decoded == null ? "unreadable, " + raw.length + " bytes" : decoded,
                drop == null ? "" : "  drop: " + drop);
    }
}
