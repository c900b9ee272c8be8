package io.metaroce.wire;

import io.metaroce.datagram.Address;
import io.metaroce.trace.DropReason;
import io.metaroce.wire.ConnectParameters.PlaneAddress;
import io.metaroce.wire.ConnectParameters.StreamOpen;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads a chain of handshake parameters, trusting nothing in it. */
final class ParameterReader {
    private static final int[] REQUIRED = {Tlv.PLANES, Tlv.CRC_SEED, Tlv.PSN_SEED, Tlv.RESET_TOKEN};
    private static final int PLANE_HEAD = 4;

    private final ByteBuffer buffer;
    private final int start;
    private final int end;
    private final boolean[] seen = new boolean[256];

    private int at; // of the option being read
    private int words;

    ParameterReader(ByteBuffer buffer, int at, int end) {
        this.buffer = buffer;
        this.start = at;
        this.end = end;
    }

    /** Reads everything up to the end of the chain. */
    @Nullable
    DropReason readInto(ConnectParameters out) {
        at = start;
        while (end - at >= Tlv.WORD_LENGTH) {
            int type = Tlv.type(buffer, at);
            words = Tlv.lengthBytes(buffer, at) / Tlv.WORD_LENGTH;
            // R-HDR-006: length zero, or past the end of the packet.
            if (words == 0 || words * Tlv.WORD_LENGTH > end - at) {
                return DropReason.TLV;
            }
            if (type == Tlv.END) {
                return words == 1 ? null : DropReason.TLV;
            }
            DropReason fault = Tlv.isKnownParameter(type) ? readOnce(type, out) : skip(type);
            if (fault != null) {
                return fault;
            }
            at += words * Tlv.WORD_LENGTH;
        }
        return DropReason.TLV;
    }

    boolean sawAllRequired() {
        for (int type : REQUIRED) {
            if (!seen[type]) {
                return false;
            }
        }
        return true;
    }

    private static @Nullable DropReason skip(int type) {
        // R-HDR-004, R-HDR-005: what is not known is skipped unless it is critical.
        return Tlv.isCritical(type) ? DropReason.TLV_CRITICAL : null;
    }

    /** A parameter given twice has no meaning that both sides would agree on. */
    private @Nullable DropReason readOnce(int type, ConnectParameters out) {
        if (seen[type]) {
            return DropReason.TLV;
        }
        seen[type] = true;
        return switch (type) {
            case Tlv.PLANES -> planes(out);
            case Tlv.STREAMS_OPEN -> streamsOpen(out);
            case Tlv.PRIVATE_DATA -> privateData(out);
            default -> words == wordsOf(type) ? number(type, out) : DropReason.TLV;
        };
    }

    private static int wordsOf(int type) {
        return switch (type) {
            case Tlv.MAX_MESSAGE, Tlv.ACK_POLICY, Tlv.CAPACITY, Tlv.INIT_BUDGET, Tlv.CRC_SEED, Tlv.PSN_SEED -> 2;
            case Tlv.IDLE_TIMES, Tlv.FEATURES -> 3;
            case Tlv.RESET_TOKEN, Tlv.COOKIE -> 5;
            default -> 1;
        };
    }

    /** The parameters of fixed length: stores the value, then says whether it is within its range. */
    private @Nullable DropReason number(int type, ConnectParameters out) {
        boolean valid = switch (type) {
            case Tlv.MAX_PATHS -> within(out.maxPaths(u16()).maxPaths(), 1, ConnectParameters.PATHS_MAX);
            case Tlv.TRACK_WINDOW -> within(out.trackWindowLog2(u16()).trackWindowLog2(), 8, 15);
            case Tlv.SACK_WORDS -> within(out.sackWords(u16()).sackWords(), 4, PathBlock.WORDS_MAX);
            case Tlv.MAX_PAYLOAD -> isPayloadSize(out.maxPayload(u16()).maxPayload());
            case Tlv.MAX_STREAMS -> anyValue(out.maxStreams(u16()));
            case Tlv.MAX_OPEN_MSGS -> anyValue(out.maxOpenMessages(u16()));
            case Tlv.MAX_READS -> anyValue(out.maxReads(u16()));
            case Tlv.MAX_MESSAGE -> within(out.maxMessage(u32(1)).maxMessage(), 0, 1L << 31);
            case Tlv.ACK_POLICY -> ackPolicy(out);
            case Tlv.CAPACITY -> anyValue(out.capacityMbit(u32(1)));
            case Tlv.WEIGHT -> within(out.weight(u16()).weight(), 1, 255);
            case Tlv.INIT_BUDGET -> anyValue(out.initBudget(u32(1)));
            case Tlv.ECN_MODE ->
                within(out.ecnMode(u16()).ecnMode(), ConnectParameters.ECN_NONE, ConnectParameters.ECN_SHIM);
            case Tlv.INTEGRITY -> anyValue(out.integrity(u16()));
            case Tlv.CRC_SEED -> anyValue(out.crcSeed((int) u32(1)));
            case Tlv.PSN_SEED -> anyValue(out.psnSeed((int) u32(1)));
            case Tlv.IDLE_TIMES -> anyValue(out.keepaliveMs(u32(1)).deadMs(u32(2)));
            case Tlv.FEATURES -> anyValue(out.featuresSupported((int) u32(1)).featuresRequired((int) u32(2)));
            case Tlv.RESET_TOKEN -> anyValue(out.resetToken(bytes(ConnectParameters.TOKEN_LENGTH)));
            case Tlv.COOKIE -> anyValue(out.cookie(bytes(ConnectParameters.TOKEN_LENGTH)));
            case Tlv.ATOMIC_CAPS -> anyValue(out.atomicCaps(u16()));
            case Tlv.ORDERED_STASH -> anyValue(out.orderedStash(u16()));
            default -> false;
        };
        return valid ? null : DropReason.HANDSHAKE;
    }

    private boolean ackPolicy(ConnectParameters out) {
        out.ackEvery(u16() >>> 8).ackKib(u16() & 0xFF).maxAckDelayNs(u32(1));
        return out.ackEvery() > 0 && out.ackKib() > 0;
    }

    private @Nullable DropReason planes(ConnectParameters out) {
        int count = u16() >>> 8;
        int room = words * Tlv.WORD_LENGTH;
        int here = Tlv.WORD_LENGTH;
        int used = 0; // bit per plane
        List<PlaneAddress> planes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            if (room - here < PLANE_HEAD) {
                return DropReason.TLV;
            }
            int plane = buffer.get(at + here) & 0xFF;
            int family = buffer.get(at + here + 1) & 0xFF;
            int port = buffer.getShort(at + here + 2) & 0xFFFF;
            here += PLANE_HEAD;
            int length = addressLength(family);
            if (length == 0 || room - here < length) {
                return DropReason.TLV;
            }
            if (plane >= ConnectParameters.PLANES_MAX || (used & (1 << plane)) != 0 || port == 0) {
                return DropReason.HANDSHAKE;
            }
            used |= 1 << plane;
            planes.add(new PlaneAddress(plane, address(family, at + here, port)));
            here += length;
        }
        if (here != room) {
            return DropReason.TLV;
        }
        out.planes(planes);
        return count > 0 ? null : DropReason.HANDSHAKE;
    }

    private static int addressLength(int family) {
        return switch (family) {
            case Address.IPV4 -> 4;
            case Address.IPV6 -> 16;
            default -> 0;
        };
    }

    private Address address(int family, int from, int port) {
        return family == Address.IPV4
                ? Address.ipv4(buffer.getInt(from), port)
                : Address.ipv6(buffer.getLong(from), buffer.getLong(from + 8), port);
    }

    private @Nullable DropReason streamsOpen(ConnectParameters out) {
        int count = u16();
        if (words != 1 + count) {
            return DropReason.TLV;
        }
        List<StreamOpen> streams = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            int entry = (int) u32(i);
            streams.add(new StreamOpen(entry >>> 16, entry & 0xFFFF));
        }
        out.streamsOpen(streams);
        return null;
    }

    private @Nullable DropReason privateData(ConnectParameters out) {
        int length = u16();
        if (length > ConnectParameters.PRIVATE_DATA_BYTES_MAX || words != 1 + (length + 3) / Tlv.WORD_LENGTH) {
            return DropReason.TLV;
        }
        out.privateData(bytes(length));
        return null;
    }

    private int u16() {
        return buffer.getShort(at + Tlv.VALUE) & 0xFFFF;
    }

    /** Word {@code index} of the option, unsigned; word 0 is its head. */
    private long u32(int index) {
        return buffer.getInt(at + index * Tlv.WORD_LENGTH) & 0xFFFF_FFFFL;
    }

    private byte[] bytes(int length) {
        byte[] copy = new byte[length];
        buffer.get(at + Tlv.WORD_LENGTH, copy);
        return copy;
    }

    private static boolean within(long value, long low, long high) {
        return value >= low && value <= high;
    }

    private static boolean isPayloadSize(int bytes) {
        return bytes == 1024 || bytes == 2048 || bytes == 4096 || bytes == 8192;
    }

    /** There is no value that would be wrong. */
    private static boolean anyValue(ConnectParameters unused) {
        return true;
    }
}
