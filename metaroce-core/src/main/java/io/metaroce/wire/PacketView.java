package io.metaroce.wire;

import io.metaroce.datagram.Datagram;
import io.metaroce.datagram.Ecn;
import io.metaroce.trace.DropReason;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * An arriving packet, checked step by step and then read without further checks. Reusable; owns one flyweight of each
 * kind.
 *
 * <pre>
 * open            at least 16 bytes, version, opcode         {@link #base()} is readable, whatever the answer from the
 *                                                           version on
 * (the caller finds the connection by base().dstConnId())
 * trailerMatches  the checksum, with that connection's seed
 * parse           fixed length, lists, options              everything the opcode has is readable
 * </pre>
 *
 * <p>If {@link #parse} found no fault, none of the accessors that belong to the opcode throws, whatever the packet
 * says. What values mean is not checked here: offsets and lengths of messages, stream numbers, paths and windows are
 * the business of the rooms above.
 */
public final class PacketView {
    /** Most path blocks or stream updates a packet can have. */
    private static final int LIST_MAX = 255;

    private final BaseHeader base = new BaseHeader();
    private final MessageHeader message = new MessageHeader();
    private final WriteHeader write = new WriteHeader();
    private final SendHeader send = new SendHeader();
    private final ReadRequestHeader readRequest = new ReadRequestHeader();
    private final AtomicRequestHeader atomicRequest = new AtomicRequestHeader();
    private final ReadResponseHeader readResponse = new ReadResponseHeader();
    private final AtomicResponseHeader atomicResponse = new AtomicResponseHeader();
    private final StatusResponseHeader statusResponse = new StatusResponseHeader();
    private final AckHeader ack = new AckHeader();
    private final PathBlock pathBlock = new PathBlock();
    private final StreamUpdate streamUpdate = new StreamUpdate();
    private final NakHeader nak = new NakHeader();
    private final ProbeHeader probe = new ProbeHeader();
    private final StreamList streamList = new StreamList();
    private final StreamQuery streamQuery = new StreamQuery();
    private final PlaneStatus planeStatus = new PlaneStatus();
    private final ConnectRequest connectRequest = new ConnectRequest();
    private final ConnectRetry connectRetry = new ConnectRetry();
    private final ConnectAccept connectAccept = new ConnectAccept();
    private final ConnectReject connectReject = new ConnectReject();
    private final ConnectConfirm connectConfirm = new ConnectConfirm();
    private final VersionNegotiation versionNegotiation = new VersionNegotiation();
    private final CloseHeader close = new CloseHeader();
    private final ResetHeader reset = new ResetHeader();
    private final ProbeEchoTlv probeEcho = new ProbeEchoTlv();
    private final Trailer trailer;
    private final int[] pathBlocksAt = new int[LIST_MAX];

    private Datagram datagram = new Datagram();
    private ByteBuffer buffer = Empty.BUFFER;
    private int at;
    private int end; // of everything but the trailer
    private int opcode;

    private int cursor; // what has been parsed so far ends here
    private int pathBlockCount;
    private int streamUpdatesAt;
    private int streamUpdateCount;
    private int tlvAt;
    private int tlvEnd;
    private int firstEchoAt;
    private int probeEchoCount;

    /** A view of packets that end in the trailer of the specification. */
    public PacketView() {
        this(new Crc32cTrailer());
    }

    /** A view of packets that end in another trailer, for models and measurements. */
    public PacketView(Trailer trailer) {
        this.trailer = trailer;
    }

    // ---------------------------------------------------------------- checks, in the order of the receive pipeline

    /**
     * Steps 1 and 2 of the receive pipeline. After {@link DropReason#VERSION} and {@link DropReason#OPCODE} the base
     * header is readable and the trailer may be asked for, because such packets may be answered; after
     * {@link DropReason#SHORT} nothing is.
     *
     * @return why to drop the packet, or null
     */
    public @Nullable DropReason open(Datagram arrived) {
        datagram = arrived;
        buffer = arrived.buffer();
        at = arrived.offset();
        end = at + arrived.length() - Crc32cTrailer.LENGTH;
        forget();
        // R-HDR-001: every packet starts with the base header.
        if (arrived.length() < BaseHeader.LENGTH) {
            return DropReason.SHORT;
        }
        opcode = base.wrap(buffer, at).opcode();
        // R-HDR-012: unknown versions and opcodes are dropped; whether they are answered is for the caller to decide.
        if (base.version() != BaseHeader.VERSION_1) {
            return DropReason.VERSION;
        }
        return Opcode.isAssigned(opcode) ? null : DropReason.OPCODE;
    }

    /**
     * Whether {@link #open} met a request for a connection in another version. Then {@link #connectRequest()} is
     * readable, because its fields are the same in all versions.
     */
    public boolean isRequestOfAnotherVersion() {
        if (opcode != Opcode.CONN_REQ || base.version() == BaseHeader.VERSION_1 || end - at < ConnectRequest.LENGTH) {
            return false;
        }
        connectRequest.wrap(buffer, at);
        return true;
    }

    /** Step 4 of the receive pipeline: whether the trailer is right under {@code seed}. */
    public boolean trailerMatches(int seed) {
        // R-HDR-007: a packet whose trailer is wrong changes nothing.
        return trailer.matches(seed, buffer, at, datagram.length());
    }

    /**
     * Step 5 of the receive pipeline: the fixed length of the opcode, its lists, its options, and nothing left over
     * where nothing may be left over.
     *
     * @return why to drop the packet, or null
     */
    public @Nullable DropReason parse() {
        int fixed = Opcode.headerLength(opcode);
        if (fixed == 0) {
            return DropReason.OPCODE;
        }
        // R-HDR-002: shorter than the fixed headers of its opcode.
        if (end - at < fixed) {
            return DropReason.LENGTH;
        }
        cursor = at + fixed;
        layHeaders();
        if (!layLists()) {
            return DropReason.LENGTH;
        }
        tlvAt = cursor;
        tlvEnd = cursor;
        if (base.hasOptions() || Opcode.alwaysHasOptions(opcode)) {
            DropReason fault = walkOptions();
            if (fault != null) {
                return fault;
            }
        }
        return restFits() ? null : DropReason.LENGTH;
    }

    // ---------------------------------------------------------------- what every packet has

    /** The datagram this view was opened on. */
    public Datagram datagram() {
        return datagram;
    }

    /** The bytes of the datagram. */
    public ByteBuffer buffer() {
        return buffer;
    }

    /** Number of {@link Opcode}. */
    public int opcode() {
        return opcode;
    }

    /** The base header. */
    public BaseHeader base() {
        return base;
    }

    /** Whether the packet met congestion: codepoint CE, or flag M for networks that cannot set it. */
    public boolean isMarked() {
        return datagram.ecn() == Ecn.CE || base.isMarked();
    }

    /** Absolute index in {@link #buffer()} of the first byte after headers, lists and options. */
    public int payloadOffset() {
        return cursor;
    }

    /** Bytes from there to the trailer: data of slot packets, padding of PROBE and CONN_REQ. */
    public int payloadLength() {
        return end - cursor;
    }

    /** Absolute index of the first option; equal to {@link #tlvEnd()} when the packet has none. */
    public int tlvOffset() {
        return tlvAt;
    }

    /** Absolute index of the first byte after the options, their end included. */
    public int tlvEnd() {
        return tlvEnd;
    }

    /** Whether the options repeat the challenge of a probe. */
    public boolean hasProbeEcho() {
        return probeEchoCount > 0;
    }

    /** Number of challenges repeated. */
    public int probeEchoCount() {
        return probeEchoCount;
    }

    /** The first challenge repeated; 0 when there is none. */
    public long probeEcho() {
        return probeEcho(0);
    }

    /** Challenge {@code index}, from 0; 0 when there are fewer. */
    public long probeEcho(int index) {
        int seen = 0;
        for (int here = firstEchoAt; seen < probeEchoCount; here += Tlv.lengthBytes(buffer, here)) {
            if (Tlv.type(buffer, here) == Tlv.PROBE_ECHO) {
                if (seen == index) {
                    return probeEcho.wrap(buffer, here).challenge();
                }
                seen++;
            }
        }
        return 0;
    }

    // ---------------------------------------------------------------- requests and responses

    /** Header of requests, 0x20 to 0x26. */
    public MessageHeader message() {
        return message;
    }

    /** Header of WRITE and WRITE_IMM. */
    public WriteHeader write() {
        return write;
    }

    /** Header of SEND, SEND_IMM and SEND_INV. */
    public SendHeader send() {
        return send;
    }

    /** Header of READ_REQ. */
    public ReadRequestHeader readRequest() {
        return readRequest;
    }

    /** Header of ATOMIC_REQ. */
    public AtomicRequestHeader atomicRequest() {
        return atomicRequest;
    }

    /** Header of READ_RESP. */
    public ReadResponseHeader readResponse() {
        return readResponse;
    }

    /** Header of ATOMIC_RESP. */
    public AtomicResponseHeader atomicResponse() {
        return atomicResponse;
    }

    /** Header of STATUS_RESP. */
    public StatusResponseHeader statusResponse() {
        return statusResponse;
    }

    /** Number of the receive the message consumes; 0 when {@link Opcode#consumesReceive} says that it consumes none. */
    public int rsn() {
        return switch (opcode) {
            case Opcode.SEND, Opcode.SEND_IMM, Opcode.SEND_INV -> send.rsn();
            case Opcode.WRITE_IMM -> write.rsn();
            default -> 0;
        };
    }

    /** Immediate data of WRITE_IMM and SEND_IMM; 0 for others. */
    public int immediate() {
        return switch (opcode) {
            case Opcode.SEND_IMM -> send.immediate();
            case Opcode.WRITE_IMM -> write.immediate();
            default -> 0;
        };
    }

    /**
     * Length in bytes, unsigned, of what a request is about: of the message for WRITE* and SEND*, of what is read for
     * READ_REQ, of the number for ATOMIC_REQ; 0 for others.
     */
    public int messageLength() {
        return switch (opcode) {
            case Opcode.WRITE, Opcode.WRITE_IMM -> write.messageLength();
            case Opcode.SEND, Opcode.SEND_IMM, Opcode.SEND_INV -> send.messageLength();
            case Opcode.READ_REQ -> readRequest.length();
            case Opcode.ATOMIC_REQ -> atomicRequest.size();
            default -> 0;
        };
    }

    // ---------------------------------------------------------------- reports and control

    /** Header of ACK. */
    public AckHeader ack() {
        return ack;
    }

    /** Path blocks of an ACK; 0 for others. */
    public int pathBlockCount() {
        return pathBlockCount;
    }

    /** Path block {@code index} of an ACK; the same view each time. */
    public PathBlock pathBlock(int index) {
        return pathBlock.wrap(buffer, pathBlocksAt[index]);
    }

    /** Stream updates of ACK, CREDIT and STREAM_STATUS; 0 for others. */
    public int streamUpdateCount() {
        return streamUpdateCount;
    }

    /** Stream update {@code index} of ACK, CREDIT or STREAM_STATUS; the same view each time. */
    public StreamUpdate streamUpdate(int index) {
        return streamUpdate.wrap(buffer, streamUpdatesAt + index * StreamUpdate.LENGTH);
    }

    /** Header of NAK. */
    public NakHeader nak() {
        return nak;
    }

    /** Header of PROBE. */
    public ProbeHeader probe() {
        return probe;
    }

    /** Header of CREDIT and STREAM_STATUS. */
    public StreamList streamList() {
        return streamList;
    }

    /** Header and entries of STREAM_QUERY. */
    public StreamQuery streamQuery() {
        return streamQuery;
    }

    /** Header of PLANE_STATUS. */
    public PlaneStatus planeStatus() {
        return planeStatus;
    }

    // ---------------------------------------------------------------- life of a connection

    /** Header of CONN_REQ. */
    public ConnectRequest connectRequest() {
        return connectRequest;
    }

    /** Header of CONN_RETRY. */
    public ConnectRetry connectRetry() {
        return connectRetry;
    }

    /** Header of CONN_ACCEPT. */
    public ConnectAccept connectAccept() {
        return connectAccept;
    }

    /** Header of CONN_REJECT. */
    public ConnectReject connectReject() {
        return connectReject;
    }

    /** Header of CONN_CONFIRM. */
    public ConnectConfirm connectConfirm() {
        return connectConfirm;
    }

    /** Header of VERSION_NEG. */
    public VersionNegotiation versionNegotiation() {
        return versionNegotiation;
    }

    /** Header of CLOSE and CLOSE_ACK. */
    public CloseHeader close() {
        return close;
    }

    /** Header of RESET. */
    public ResetHeader reset() {
        return reset;
    }

    // ---------------------------------------------------------------- private

    private void forget() {
        opcode = 0;
        cursor = at;
        pathBlockCount = 0;
        streamUpdateCount = 0;
        tlvAt = at;
        tlvEnd = at;
        probeEchoCount = 0;
    }

    private void layHeaders() {
        switch (opcode) {
            case Opcode.WRITE, Opcode.WRITE_IMM -> {
                message.wrap(buffer, at);
                write.wrap(buffer, at);
            }
            case Opcode.SEND, Opcode.SEND_IMM, Opcode.SEND_INV -> {
                message.wrap(buffer, at);
                send.wrap(buffer, at);
            }
            case Opcode.ACK -> ack.wrap(buffer, at);
            case Opcode.READ_RESP -> readResponse.wrap(buffer, at);
            case Opcode.READ_REQ -> {
                message.wrap(buffer, at);
                readRequest.wrap(buffer, at);
            }
            case Opcode.ATOMIC_REQ -> {
                message.wrap(buffer, at);
                atomicRequest.wrap(buffer, at);
            }
            default -> layRareHeaders();
        }
    }

    private void layRareHeaders() {
        switch (opcode) {
            case Opcode.ATOMIC_RESP -> atomicResponse.wrap(buffer, at);
            case Opcode.STATUS_RESP -> statusResponse.wrap(buffer, at);
            case Opcode.NAK -> nak.wrap(buffer, at);
            case Opcode.PROBE -> probe.wrap(buffer, at);
            case Opcode.CREDIT, Opcode.STREAM_STATUS -> streamList.wrap(buffer, at);
            case Opcode.STREAM_QUERY -> streamQuery.wrap(buffer, at);
            case Opcode.PLANE_STATUS -> planeStatus.wrap(buffer, at);
            case Opcode.CONN_REQ -> connectRequest.wrap(buffer, at);
            case Opcode.CONN_RETRY -> connectRetry.wrap(buffer, at);
            case Opcode.CONN_ACCEPT -> connectAccept.wrap(buffer, at);
            case Opcode.CONN_REJECT -> connectReject.wrap(buffer, at);
            case Opcode.CONN_CONFIRM -> connectConfirm.wrap(buffer, at);
            case Opcode.VERSION_NEG -> versionNegotiation.wrap(buffer, at);
            case Opcode.CLOSE, Opcode.CLOSE_ACK -> close.wrap(buffer, at);
            case Opcode.RESET -> reset.wrap(buffer, at);
            default -> {
                // What has no headers of its own, or is laid elsewhere.
            }
        }
    }

    /** Walks the lists that have a count and moves the cursor behind them; false when they do not fit. */
    private boolean layLists() {
        return switch (opcode) {
            case Opcode.ACK -> layPathBlocks(ack.pathBlockCount()) && layStreamUpdates(ack.streamUpdateCount());
            case Opcode.CREDIT, Opcode.STREAM_STATUS -> layStreamUpdates(streamList.count());
            case Opcode.STREAM_QUERY -> skip(streamQuery.count() * StreamQuery.ENTRY_LENGTH);
            default -> true;
        };
    }

    private boolean layPathBlocks(int count) {
        for (int i = 0; i < count; i++) {
            if (end - cursor < PathBlock.HEADER_LENGTH) {
                return false;
            }
            pathBlocksAt[i] = cursor;
            int words = pathBlock.wrap(buffer, cursor).words();
            if (words > PathBlock.WORDS_MAX || !skip(PathBlock.lengthBytes(words))) {
                return false;
            }
        }
        pathBlockCount = count;
        return true;
    }

    private boolean layStreamUpdates(int count) {
        streamUpdatesAt = cursor;
        streamUpdateCount = count;
        return skip(count * StreamUpdate.LENGTH);
    }

    private boolean skip(int bytes) {
        if (end - cursor < bytes) {
            return false;
        }
        cursor += bytes;
        return true;
    }

    private @Nullable DropReason walkOptions() {
        boolean parametersValid = Opcode.takesParameters(opcode);
        while (end - cursor >= Tlv.WORD_LENGTH) {
            int type = Tlv.type(buffer, cursor);
            int length = Tlv.lengthBytes(buffer, cursor);
            // R-HDR-006: length zero, or past the end of the packet.
            if (length == 0 || length > end - cursor) {
                return DropReason.TLV;
            }
            if (type == Tlv.END) {
                cursor += length;
                tlvEnd = cursor;
                return length == Tlv.WORD_LENGTH ? null : DropReason.TLV;
            }
            if (type == Tlv.PROBE_ECHO) {
                if (length != ProbeEchoTlv.LENGTH) {
                    return DropReason.TLV;
                }
                noteProbeEcho();
            } else if (Tlv.isCritical(type) && !(parametersValid && Tlv.isKnownParameter(type))) {
                // R-HDR-005: not understood, and it must be. A parameter outside the handshake is not understood
                // either.
                return DropReason.TLV_CRITICAL;
            }
            // R-HDR-004: what is not critical is skipped.
            cursor += length;
        }
        return DropReason.TLV;
    }

    private void noteProbeEcho() {
        if (probeEchoCount == 0) {
            firstEchoAt = cursor;
        }
        probeEchoCount++;
    }

    /** Whether what is left before the trailer is what the opcode may have there. */
    private boolean restFits() {
        if (Opcode.hasPayload(opcode)) {
            return true;
        }
        return switch (opcode) {
            case Opcode.PROBE, Opcode.CONN_REQ -> true;
            default -> cursor == end;
        };
    }
}
