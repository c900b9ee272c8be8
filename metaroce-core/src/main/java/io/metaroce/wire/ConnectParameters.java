package io.metaroce.wire;

import io.metaroce.datagram.Address;
import io.metaroce.trace.DropReason;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one side of a connection offers or accepts: all parameters of CONN_REQ and CONN_ACCEPT, with their defaults.
 * Cold and mutable; getter and setter share a name. Values that are unsigned 32-bit numbers on the wire are
 * {@code long} here.
 *
 * <p>Four have no default and must be given: planes, CRC seed, PSN seed, reset token.
 */
public final class ConnectParameters {
    /** Most bytes of private data. */
    public static final int PRIVATE_DATA_BYTES_MAX = 224;
    /** Most paths of one direction. */
    public static final int PATHS_MAX = 254;
    /** Most planes. */
    public static final int PLANES_MAX = 16;
    /** Most streams that can be announced as open: what fits into one option. */
    public static final int STREAMS_OPEN_MAX = 254;
    /** Bytes of cookie and reset token. */
    public static final int TOKEN_LENGTH = 16;
    /** Integrity profile bit: no trailer check. */
    public static final int INTEGRITY_NONE = 0x1;
    /** Integrity profile bit: CRC32C. */
    public static final int INTEGRITY_CRC32C = 0x2;
    /** Integrity profile bit: AEAD-1. */
    public static final int INTEGRITY_AEAD_1 = 0x4;
    /** ECN mode: congestion marks cannot be read. */
    public static final int ECN_NONE = 0;
    /** ECN mode: IP ECN is read. */
    public static final int ECN_IP = 1;
    /** ECN mode: flag M is read, for networks that cannot set IP ECN. */
    public static final int ECN_SHIM = 2;
    /** Feature bit: shared receive queues. */
    public static final int FEATURE_SRQ = 0x1;
    /** Feature bit: ordered writes. */
    public static final int FEATURE_ORDERED = 0x2;
    /** Feature bit: atomics of less than eight bytes. */
    public static final int FEATURE_SUBWORD_ATOMICS = 0x4;
    /** Atomic capability bit: eight bytes, CAS, FAA and SWAP. */
    public static final int ATOMIC_EIGHT_BYTES = 0x1;
    /** Atomic capability bit: one to four bytes. */
    public static final int ATOMIC_SUBWORD = 0x2;

    private static final long U32_MAX = 0xFFFF_FFFFL;
    private static final long MESSAGE_MAX = 1L << 31;
    private static final long MAX_ACK_DELAY_DEFAULT_NS = 200_000;

    private List<PlaneAddress> planes = List.of();
    private int maxPaths = 64;
    private int trackWindowLog2 = 8;
    private int sackWords = 4;
    private int maxPayload = 4096;
    private int maxStreams = 64;
    private int maxOpenMessages = 1024;
    private int maxReads = 128;
    private long maxMessage = MESSAGE_MAX;
    private List<StreamOpen> streamsOpen = List.of(new StreamOpen(0, 0));
    private int ackEvery = 4;
    private int ackKib = 16;
    private long maxAckDelayNs = MAX_ACK_DELAY_DEFAULT_NS;
    private long capacityMbit;
    private int weight = 1;
    private long initBudget = U32_MAX;
    private int meaninglessType; // 0 is none; written, never read
    private int meaninglessValue;
    private int ecnMode = ECN_NONE;
    private int integrity = INTEGRITY_CRC32C;
    private int crcSeed;
    private int psnSeed;
    private long keepaliveMs = 10_000;
    private long deadMs = 10_000;
    private int featuresSupported;
    private int featuresRequired;
    private byte[] resetToken = new byte[TOKEN_LENGTH];
    private byte @Nullable [] cookie;
    private int atomicCaps = ATOMIC_EIGHT_BYTES;
    private byte[] privateData = new byte[0];
    private int orderedStash;

    /**
     * Where the sender receives on one plane.
     *
     * @param plane 0..15
     * @param address where it receives
     */
    public record PlaneAddress(int plane, Address address) {}

    /**
     * A stream that is open at once.
     *
     * @param streamId 0..65535
     * @param posted receives posted already, 0..65535
     */
    public record StreamOpen(int streamId, int posted) {}

    // ---------------------------------------------------------------- both ways

    /**
     * Writes all parameters and the end of the chain at {@code at}; returns the bytes written.
     *
     * @throws IllegalArgumentException when a list or the private data is longer than its option can be
     */
    public int write(ByteBuffer buffer, int at) {
        ParameterWriter out = new ParameterWriter(buffer, at);
        out.planes(planes);
        out.u16(Tlv.MAX_PATHS, maxPaths);
        out.u16(Tlv.TRACK_WINDOW, trackWindowLog2);
        out.u16(Tlv.SACK_WORDS, sackWords);
        out.u16(Tlv.MAX_PAYLOAD, maxPayload);
        out.u16(Tlv.MAX_STREAMS, maxStreams);
        out.u16(Tlv.MAX_OPEN_MSGS, maxOpenMessages);
        out.u16(Tlv.MAX_READS, maxReads);
        out.u32(Tlv.MAX_MESSAGE, (int) maxMessage);
        out.streamsOpen(streamsOpen);
        out.u16u32(Tlv.ACK_POLICY, (ackEvery << 8) | (ackKib & 0xFF), (int) maxAckDelayNs);
        out.u32(Tlv.CAPACITY, (int) capacityMbit);
        out.u16(Tlv.WEIGHT, weight);
        out.u32(Tlv.INIT_BUDGET, (int) initBudget);
        out.u16(Tlv.ECN_MODE, ecnMode);
        out.u16(Tlv.INTEGRITY, integrity);
        out.u32(Tlv.CRC_SEED, crcSeed);
        out.u32(Tlv.PSN_SEED, psnSeed);
        out.u32u32(Tlv.IDLE_TIMES, (int) keepaliveMs, (int) deadMs);
        out.u32u32(Tlv.FEATURES, featuresSupported, featuresRequired);
        out.token(Tlv.RESET_TOKEN, resetToken);
        if (cookie != null) {
            out.token(Tlv.COOKIE, cookie);
        }
        out.u16(Tlv.ATOMIC_CAPS, atomicCaps);
        if (privateData.length > 0) {
            out.privateData(privateData);
        }
        out.u16(Tlv.ORDERED_STASH, orderedStash);
        if (meaninglessType != 0) {
            out.u32(meaninglessType, meaninglessValue);
        }
        return out.end();
    }

    /** Writes only what sides may fail to agree on, for CONN_REJECT; returns the bytes written. */
    public int writeDemands(ByteBuffer buffer, int at) {
        ParameterWriter out = new ParameterWriter(buffer, at);
        out.u16(Tlv.INTEGRITY, integrity);
        out.u32u32(Tlv.FEATURES, featuresSupported, featuresRequired);
        return out.end();
    }

    /** Writes only the private data and the end of the chain, for CONN_REJECT; returns the bytes written. */
    public int writePrivateData(ByteBuffer buffer, int at) {
        ParameterWriter out = new ParameterWriter(buffer, at);
        if (privateData.length > 0) {
            out.privateData(privateData);
        }
        return out.end();
    }

    /**
     * Reads the chain of CONN_REQ or CONN_ACCEPT that starts at {@code at}; what it does not say keeps the value it has
     * in this object, so start from a new one.
     *
     * @return null, or what is wrong: {@link DropReason#TLV} malformed, {@link DropReason#TLV_CRITICAL} not understood,
     *     {@link DropReason#HANDSHAKE} a value outside its range, or a required parameter missing
     */
    public @Nullable DropReason read(ByteBuffer buffer, int at, int end) {
        ParameterReader in = new ParameterReader(buffer, at, end);
        DropReason fault = in.readInto(this);
        if (fault != null) {
            return fault;
        }
        return in.sawAllRequired() ? null : DropReason.HANDSHAKE;
    }

    /** Reads the chain of CONN_REJECT, in which no parameter is required; see {@link #read}. */
    public @Nullable DropReason readOptional(ByteBuffer buffer, int at, int end) {
        return new ParameterReader(buffer, at, end).readInto(this);
    }

    // ---------------------------------------------------------------- fields

    /** Where the sender receives; required, 1..16 entries, planes distinct. */
    public List<PlaneAddress> planes() {
        return planes;
    }

    /** Sets {@link #planes()}. */
    public ConnectParameters planes(List<PlaneAddress> value) {
        planes = List.copyOf(value);
        return this;
    }

    /** Paths accepted, 1..254. */
    public int maxPaths() {
        return maxPaths;
    }

    /** Sets {@link #maxPaths()}. */
    public ConnectParameters maxPaths(int value) {
        maxPaths = value;
        return this;
    }

    /** Logarithm to base 2 of the tracking window accepted, 8..15. */
    public int trackWindowLog2() {
        return trackWindowLog2;
    }

    /** Sets {@link #trackWindowLog2()}. */
    public ConnectParameters trackWindowLog2(int value) {
        trackWindowLog2 = value;
        return this;
    }

    /** Words of bitmap a path block covers, 4..16. */
    public int sackWords() {
        return sackWords;
    }

    /** Sets {@link #sackWords()}. */
    public ConnectParameters sackWords(int value) {
        sackWords = value;
        return this;
    }

    /** Payload of a full packet in bytes: 1024, 2048, 4096 or 8192. */
    public int maxPayload() {
        return maxPayload;
    }

    /** Sets {@link #maxPayload()}. */
    public ConnectParameters maxPayload(int value) {
        maxPayload = value;
        return this;
    }

    /** Streams accepted: stream ids stay below it. */
    public int maxStreams() {
        return maxStreams;
    }

    /** Sets {@link #maxStreams()}. */
    public ConnectParameters maxStreams(int value) {
        maxStreams = value;
        return this;
    }

    /** Incomplete messages accepted, over all streams. */
    public int maxOpenMessages() {
        return maxOpenMessages;
    }

    /** Sets {@link #maxOpenMessages()}. */
    public ConnectParameters maxOpenMessages(int value) {
        maxOpenMessages = value;
        return this;
    }

    /** Reads and atomics served at once. */
    public int maxReads() {
        return maxReads;
    }

    /** Sets {@link #maxReads()}. */
    public ConnectParameters maxReads(int value) {
        maxReads = value;
        return this;
    }

    /** Longest message accepted in bytes, 0..2^31. */
    public long maxMessage() {
        return maxMessage;
    }

    /** Sets {@link #maxMessage()}. */
    public ConnectParameters maxMessage(long value) {
        maxMessage = value;
        return this;
    }

    /** Streams open at once, with the receives posted already. */
    public List<StreamOpen> streamsOpen() {
        return streamsOpen;
    }

    /** Sets {@link #streamsOpen()}. */
    public ConnectParameters streamsOpen(List<StreamOpen> value) {
        streamsOpen = List.copyOf(value);
        return this;
    }

    /** Packets after which the sender acknowledges at the latest, 1..255. */
    public int ackEvery() {
        return ackEvery;
    }

    /** Sets {@link #ackEvery()}. */
    public ConnectParameters ackEvery(int value) {
        ackEvery = value;
        return this;
    }

    /** KiB after which the sender acknowledges at the latest, 1..255. */
    public int ackKib() {
        return ackKib;
    }

    /** Sets {@link #ackKib()}. */
    public ConnectParameters ackKib(int value) {
        ackKib = value;
        return this;
    }

    /** Time after which the sender acknowledges at the latest, in ns. */
    public long maxAckDelayNs() {
        return maxAckDelayNs;
    }

    /** Sets {@link #maxAckDelayNs()}. */
    public ConnectParameters maxAckDelayNs(long value) {
        maxAckDelayNs = value;
        return this;
    }

    /** Inbound line rate of the sender over all planes, in Mbit/s; 0 unknown. */
    public long capacityMbit() {
        return capacityMbit;
    }

    /** Sets {@link #capacityMbit()}. */
    public ConnectParameters capacityMbit(long value) {
        capacityMbit = value;
        return this;
    }

    /** Weight asked for in the peer's shares, 1..255. */
    public int weight() {
        return weight;
    }

    /** Sets {@link #weight()}. */
    public ConnectParameters weight(int value) {
        weight = value;
        return this;
    }

    /** Most bytes the sender may be sent before its first hint. */
    public long initBudget() {
        return initBudget;
    }

    /** Sets {@link #initBudget()}. */
    public ConnectParameters initBudget(long value) {
        initBudget = value;
        return this;
    }

    /** Which congestion marks the sender reads: {@link #ECN_NONE}, {@link #ECN_IP}, {@link #ECN_SHIM}. */
    public int ecnMode() {
        return ecnMode;
    }

    /** Adds a parameter that nobody knows, to be skipped; {@code type} is not critical. */
    public ConnectParameters meaningless(int type, int value) {
        meaninglessType = type;
        meaninglessValue = value;
        return this;
    }

    /** Sets {@link #ecnMode()}. */
    public ConnectParameters ecnMode(int value) {
        ecnMode = value;
        return this;
    }

    /** Bits of the integrity profiles offered, or of the one chosen. */
    public int integrity() {
        return integrity;
    }

    /** Sets {@link #integrity()}. */
    public ConnectParameters integrity(int value) {
        integrity = value;
        return this;
    }

    /** Trailer seed of packets to the sender; required. */
    public int crcSeed() {
        return crcSeed;
    }

    /** Sets {@link #crcSeed()}. */
    public ConnectParameters crcSeed(int value) {
        crcSeed = value;
        return this;
    }

    /** Where the sender's PSNs begin; required. */
    public int psnSeed() {
        return psnSeed;
    }

    /** Sets {@link #psnSeed()}. */
    public ConnectParameters psnSeed(int value) {
        psnSeed = value;
        return this;
    }

    /** Idle time before a keepalive, in ms. */
    public long keepaliveMs() {
        return keepaliveMs;
    }

    /** Sets {@link #keepaliveMs()}. */
    public ConnectParameters keepaliveMs(long value) {
        keepaliveMs = value;
        return this;
    }

    /** Time without delivery after which the peer counts as dead, in ms; 0 never. */
    public long deadMs() {
        return deadMs;
    }

    /** Sets {@link #deadMs()}. */
    public ConnectParameters deadMs(long value) {
        deadMs = value;
        return this;
    }

    /** Bits of the features supported. */
    public int featuresSupported() {
        return featuresSupported;
    }

    /** Sets {@link #featuresSupported()}. */
    public ConnectParameters featuresSupported(int value) {
        featuresSupported = value;
        return this;
    }

    /** Bits of the features required of the other side. */
    public int featuresRequired() {
        return featuresRequired;
    }

    /** Sets {@link #featuresRequired()}. */
    public ConnectParameters featuresRequired(int value) {
        featuresRequired = value;
        return this;
    }

    /** 16 bytes a RESET for the sender's ConnId must carry; required. */
    public byte[] resetToken() {
        return resetToken.clone();
    }

    /** Sets {@link #resetToken()}. */
    public ConnectParameters resetToken(byte[] value) {
        resetToken = token(value);
        return this;
    }

    /** 16 bytes of the cookie in a repeated CONN_REQ, or null. */
    public byte @Nullable [] cookie() {
        return cookie == null ? null : cookie.clone();
    }

    /** Sets {@link #cookie()}. */
    public ConnectParameters cookie(byte @Nullable [] value) {
        cookie = value == null ? null : token(value);
        return this;
    }

    /** Bits of the atomic operations offered. */
    public int atomicCaps() {
        return atomicCaps;
    }

    /** Sets {@link #atomicCaps()}. */
    public ConnectParameters atomicCaps(int value) {
        atomicCaps = value;
        return this;
    }

    /** Bytes of the application, at most 224. */
    public byte[] privateData() {
        return privateData.clone();
    }

    /** Sets {@link #privateData()}. */
    public ConnectParameters privateData(byte[] value) {
        privateData = value.clone();
        return this;
    }

    /** Outstanding ordered writes accepted, in packets. */
    public int orderedStash() {
        return orderedStash;
    }

    /** Sets {@link #orderedStash()}. */
    public ConnectParameters orderedStash(int value) {
        orderedStash = value;
        return this;
    }

    private static byte[] token(byte[] value) {
        if (value.length != TOKEN_LENGTH) {
            throw new IllegalArgumentException("a token or cookie has " + TOKEN_LENGTH + " bytes, not " + value.length);
        }
        return value.clone();
    }
}
