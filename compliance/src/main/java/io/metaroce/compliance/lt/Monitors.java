package io.metaroce.compliance.lt;

import io.metaroce.compliance.lt.codec.Codec;
import io.metaroce.compliance.lt.codec.Fields;
import io.metaroce.compliance.lt.codec.Packet;
import io.metaroce.compliance.verdict.Checks;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Watches all traffic of one connection in every test. Each complaint names the requirement it is about. */
final class Monitors {
    private static final List<String> MUTABLE =
            List.of("flags", "tx_stamp", "path_epoch", "demand", "rate_hint", "hint_seq", "message_flags", "status");

    private final Peer peer;
    private final Codec codec;
    private final Checks checks;
    private final Map<Integer, Path> paths = new TreeMap<>();
    private final Set<String> fragments = new HashSet<>();
    private final Map<Integer, Fields> lastBlock = new HashMap<>();
    private @Nullable Integer lastAckSeq;
    private long toIut;
    private long acksFromIut;

    private static final class Path {
        private int nextPsn;
        private int lastStamp;
        private boolean hasStamp;
        private int epoch;
        private int port = -1;
        private int plane;
        private int released;
        private final Map<Integer, Packet> slots = new HashMap<>();
    }

    Monitors(Peer peer, Codec codec, Checks checks, boolean isVirtual) {
        this.peer = peer;
        this.codec = codec;
        this.checks = checks;
    }

    /** The tester has sent a packet of this connection. */
    void toIut(Packet packet) {
        toIut++;
        for (Fields block : packet.fields().list("path_blocks")) {
            Path path = path((int) block.get("path_id"));
            if (block.get("cum_psn") != 0 || path.released != 0) {
                path.released = block.int32("cum_psn");
            }
        }
    }

    /** The tester has sent bytes, to whomever. */
    void rawToIut() {
        toIut++;
    }

    private Path path(int number) {
        return paths.computeIfAbsent(number, n -> {
            Path fresh = new Path();
            fresh.nextPsn = peer.firstPsn(n);
            fresh.released = fresh.nextPsn;
            return fresh;
        });
    }

    /** A line about a packet is long, and written only when somebody has to read it. */
    private void demand(boolean isOk, String requirement, String detail, Seen about) {
        if (!isOk) {
            checks.violated(requirement, detail + ": " + about.line());
        }
    }

    /** The implementation has sent a packet of this connection. */
    void fromIut(Seen seen) {
        if (seen.decoded() == null || seen.drop() != null) {
            String why = String.valueOf(seen.drop());
            demand(!why.equals("integrity"), "R-HDR-007", "a packet with a wrong trailer", seen);
            demand(
                    why.equals("integrity") || why.equals("null"),
                    "R-HDR-001",
                    "a packet that cannot be read (" + why + ")",
                    seen);
            return;
        }
        demand(seen.port() >= 0, "R-HDR-010", "sent to an address that was not advertised", seen);
        Packet packet = seen.packet();
        for (String name : packet.fields().names()) {
            demand(
                    !name.equals("reserved") || packet.get(name) == 0,
                    "R-HDR-003",
                    "a reserved field is not zero",
                    seen);
        }
        if (!peer.isEstablished()) {
            return;
        }
        boolean isTail = packet.is("PROBE") && (packet.get("probe_flags") & 0x80) != 0;
        if (codec.table().isSlot(packet.name())) {
            slot(seen, packet);
        }
        if (codec.table().isSlot(packet.name()) || isTail) {
            stampAndRoute(seen);
        }
        if (packet.is("ACK")) {
            ack(seen, packet);
        }
    }

    private void slot(Seen seen, Packet packet) {
        Path path = path(seen.path());
        int psn = seen.psn();
        Packet before = path.slots.get(psn);
        if (before == null) {
            boolean hasMoved = (path.epoch | seen.epoch()) != 0;
            demand(psn == path.nextPsn, hasMoved ? "R-PATH-011" : "R-PATH-001", "not the next slot of its path", seen);
            demand(!seen.isResent(), "R-PATH-007", "flag R on a slot that was never sent", seen);
            demand(psn - path.released < window(), "R-PATH-003", "a slot beyond CumPSN + Wt", seen);
            path.nextPsn = psn + 1;
            path.slots.put(psn, packet);
            fragment(seen, packet);
        } else {
            demand(seen.isResent(), "R-PATH-007", "a slot sent again without R", seen);
            demand(isSame(before, packet), "R-PATH-023", "a slot sent again with other contents", seen);
        }
        int limit = (int) Math.max(1024, agreedPayload());
        demand(packet.payloadLength() <= limit, "R-HDR-011", "more payload than was agreed", seen);
    }

    private int window() {
        Fields said = peer.termSaid("TRACK_WINDOW");
        return 1 << Math.max(8, (int) said.get("track_window_log2"));
    }

    private long agreedPayload() {
        long own = peer.termSaid("MAX_PAYLOAD").get("max_payload");
        long theirs = peer.theirs("MAX_PAYLOAD").get("max_payload");
        return Math.min(own == 0 ? 4096 : own, theirs == 0 ? 4096 : theirs);
    }

    private void fragment(Seen seen, Packet packet) {
        if (packet.fields().has("msn")) {
            String key = packet.get("stream_id") + "/" + packet.get("msn") + "/" + packet.get("attempt") + "/"
                    + packet.get("message_offset");
            demand(fragments.add(key), "R-PATH-008", "a payload in a second slot", seen);
            demand(
                    packet.is("READ_REQ")
                            || packet.is("ATOMIC_REQ")
                            || packet.get("message_offset") + packet.payloadLength() <= packet.get("message_length"),
                    "R-HDR-015",
                    "a fragment beyond its message",
                    seen);
        }
    }

    private static boolean isSame(Packet first, Packet second) {
        boolean isWithdrawn = (second.get("message_flags") & 2) != 0 || second.get("status") != 0;
        for (String name : first.fields().names()) {
            if (!MUTABLE.contains(name) && first.get(name) != second.get(name)) {
                return false;
            }
        }
        return first.is(second.name()) && (isWithdrawn || Arrays.equals(first.payload(), second.payload()));
    }

    private void stampAndRoute(Seen seen) {
        Path path = path(seen.path());
        demand(!path.hasStamp || seen.stamp() - path.lastStamp > 0, "R-PATH-006", "a stamp that does not grow", seen);
        path.lastStamp = seen.stamp();
        path.hasStamp = true;
        demand(seen.dscp() != 1, "R-HDR-013", "a slot or PROBE in the class of control", seen);
        boolean isFirst = path.port < 0;
        boolean isMoved = path.port != seen.port() || path.plane != seen.plane();
        int steps = (seen.epoch() - path.epoch) & 0xFF;
        if (!isFirst) {
            demand(!isMoved || steps != 0, "R-PATH-010", "another route in the same epoch", seen);
            demand(steps < 0x80, "R-PATH-010", "an epoch that goes back", seen);
            demand(isMoved || steps != 1, "R-PATH-010", "another epoch by the same route", seen);
        }
        path.port = seen.port();
        path.plane = seen.plane();
        path.epoch = seen.epoch();
    }

    private void ack(Seen seen, Packet ack) {
        acksFromIut++;
        demand(acksFromIut <= toIut, "R-ACK-004", "more ACKs than packets were sent", seen);
        int seq = seen.psn();
        boolean isNewer = lastAckSeq == null || seq - lastAckSeq > 0;
        lastAckSeq = isNewer ? Integer.valueOf(seq) : lastAckSeq;
        for (Fields block : ack.fields().list("path_blocks")) {
            int number = (int) block.get("path_id");
            demand(block.get("words") <= 16, "R-SACK-001", "more than 16 words", seen);
            int cum = block.int32("cum_psn");
            demand(
                    cum - peer.nextPsn(number) <= 0 || peer.isForging(),
                    "R-SACK-002",
                    "a slot is acknowledged that was never sent",
                    seen);
            Fields before = lastBlock.get(number);
            if (before != null && isNewer) {
                demand(cum - before.int32("cum_psn") >= 0, "R-SACK-003", "CumPSN goes back", seen);
                demand(keeps(before, block), "R-SACK-003", "an acknowledged slot is withdrawn", seen);
            }
            if (isNewer && block.get("sack_offset") == 0) {
                lastBlock.put(number, block);
            }
        }
    }

    private static boolean keeps(Fields before, Fields now) {
        if (before.get("sack_offset") != 0 || now.get("sack_offset") != 0) {
            return true;
        }
        long[] old = before.longs("bitmap");
        long[] fresh = now.longs("bitmap");
        for (int i = 0; i < 64 * old.length; i++) {
            if ((old[i >>> 6] >>> i & 1) != 0) {
                int at = before.int32("cum_psn") + i - now.int32("cum_psn");
                boolean isKept = at < 0 || (at >>> 6 < fresh.length && (fresh[at >>> 6] >>> at & 1) != 0);
                if (!isKept) {
                    return false;
                }
            }
        }
        return true;
    }
}
