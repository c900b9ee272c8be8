package io.metaroce.wire.model;

import io.metaroce.wire.Opcode;
import java.util.List;

/**
 * A packet as a value, for people, tests and tools: one record per opcode. Component names are the field names of
 * {@code spec/wire/packets.json} in camel case. Counts of lists are not repeated; the trailer belongs to the codec.
 *
 * <p>Wherever they appear, {@code message} says which message of which stream a request belongs to, {@code payload} is
 * the data and {@code padding} the number of zero bytes behind everything else.
 */
public sealed interface Packet {
    /** What every packet says. */
    Header header();

    /** The options, without the end of their chain. */
    List<Option> options();

    /** Number of {@link Opcode}; tells which record this is. */
    int opcode();

    /**
     * Asks for a connection; at least 1200 bytes.
     *
     * @param initConnId ConnId the initiator wants to receive on
     * @param serviceId service of the responder
     * @param nonce repeated in every answer
     * @param versions bit v: the initiator speaks version v
     */
    record ConnectRequest(
            Header header, int initConnId, int serviceId, long nonce, int versions, List<Option> options, int padding)
            implements Packet {
        @Override
        public int opcode() {
            return Opcode.CONN_REQ;
        }
    }

    /**
     * Asks to repeat the request with a cookie.
     *
     * @param nonce of the request
     * @param cookie to repeat the request with
     */
    record ConnectRetry(Header header, long nonce, Bytes cookie, List<Option> options) implements Packet {
        @Override
        public int opcode() {
            return Opcode.CONN_RETRY;
        }
    }

    /**
     * Accepts.
     *
     * @param nonce of the request
     * @param respConnId ConnId the responder wants to receive on
     * @param chosenVersion version chosen
     */
    record ConnectAccept(Header header, long nonce, int respConnId, int chosenVersion, List<Option> options)
            implements Packet {
        @Override
        public int opcode() {
            return Opcode.CONN_ACCEPT;
        }
    }

    /**
     * Refuses.
     *
     * @param nonce of the request
     * @param reason why
     */
    record ConnectReject(Header header, long nonce, int reason, List<Option> options) implements Packet {
        @Override
        public int opcode() {
            return Opcode.CONN_REJECT;
        }
    }

    /**
     * Confirms.
     *
     * @param nonce of the request
     */
    record ConnectConfirm(Header header, long nonce, List<Option> options) implements Packet {
        @Override
        public int opcode() {
            return Opcode.CONN_CONFIRM;
        }
    }

    /**
     * Lists versions; to the observed source.
     *
     * @param nonce of the request
     * @param versions bit v: the responder speaks version v
     */
    record VersionNegotiation(Header header, long nonce, int versions, List<Option> options) implements Packet {
        @Override
        public int opcode() {
            return Opcode.VERSION_NEG;
        }
    }

    /**
     * Ends a connection.
     *
     * @param code why; 0x100 + error_code for errors
     * @param closeFlags flags: ABORT
     * @param closeId names this close
     */
    record Close(Header header, int code, int closeFlags, int closeId, List<Option> options) implements Packet {
        @Override
        public int opcode() {
            return Opcode.CLOSE;
        }
    }

    /**
     * Answers CLOSE.
     *
     * @param code as in the CLOSE
     * @param closeFlags flags: PENDING
     * @param closeId as in the CLOSE
     */
    record CloseAck(Header header, int code, int closeFlags, int closeId, List<Option> options) implements Packet {
        @Override
        public int opcode() {
            return Opcode.CLOSE_ACK;
        }
    }

    /**
     * Says that a ConnId is unknown; to the observed source.
     *
     * @param deadConnId the unknown ConnId
     * @param token RESET_TOKEN announced for that ConnId
     */
    record Reset(Header header, int deadConnId, Bytes token, List<Option> options) implements Packet {
        @Override
        public int opcode() {
            return Opcode.RESET;
        }
    }

    /**
     * Acknowledges.
     *
     * @param rateHint share of inbound bandwidth granted to this connection, as RateHint16
     * @param planeUp bit k: the sender of this ACK can receive on plane k
     * @param rxBytes accepted payload of the connection so far; wraps, in units of 64 byte
     * @param ackFlags flags: PROBE_ANSWER, PAUSED
     */
    record Ack(
            Header header,
            int rateHint,
            int planeUp,
            int rxBytes,
            int ackFlags,
            List<Block> pathBlocks,
            List<Update> streamUpdates,
            List<Option> options)
            implements Packet {
        @Override
        public int opcode() {
            return Opcode.ACK;
        }
    }

    /**
     * Refuses a message or reports an error.
     *
     * @param code what happened
     * @param streamId stream of the message
     * @param msn number of the message
     * @param rsnLimit receives posted so far on the stream
     * @param slotPsn PSN of the packet that is the cause
     * @param slotPath path of the packet that is the cause
     * @param attempt attempt that is refused
     * @param retryDelay when to try again without further notice, as RetryDelay16
     */
    record Nak(
            Header header,
            int code,
            int streamId,
            int msn,
            int rsnLimit,
            int slotPsn,
            int slotPath,
            int attempt,
            int retryDelay,
            List<Option> options)
            implements Packet {
        @Override
        public int opcode() {
            return Opcode.NAK;
        }
    }

    /**
     * Asks about a path or route.
     *
     * @param probeFlags exactly one of IN_PATH and CHALLENGE is set
     * @param plane plane it was sent on
     * @param challenge echoed in PROBE_ECHO when CHALLENGE is set
     */
    record Probe(Header header, int probeFlags, int plane, long challenge, List<Option> options, int padding)
            implements Packet {
        @Override
        public int opcode() {
            return Opcode.PROBE;
        }
    }

    /** Grants receives. */
    record Credit(Header header, List<Update> streamUpdates, List<Option> options) implements Packet {
        @Override
        public int opcode() {
            return Opcode.CREDIT;
        }
    }

    /**
     * Asks about streams.
     *
     * @param streams entry of STREAM_QUERY
     */
    record StreamQuery(Header header, List<StreamEntry> streams, List<Option> options) implements Packet {
        @Override
        public int opcode() {
            return Opcode.STREAM_QUERY;
        }
    }

    /** Answers STREAM_QUERY. */
    record StreamStatus(Header header, List<Update> streamUpdates, List<Option> options) implements Packet {
        @Override
        public int opcode() {
            return Opcode.STREAM_STATUS;
        }
    }

    /**
     * Tells that a plane went or came back.
     *
     * @param planeUp bit k: the sender can receive on plane k
     * @param changed bit k: plane k has changed
     */
    record PlaneStatus(Header header, int planeUp, int changed, List<Option> options) implements Packet {
        @Override
        public int opcode() {
            return Opcode.PLANE_STATUS;
        }
    }

    /**
     * RDMA write.
     *
     * @param rkey key of the region
     * @param messageLength length of the whole message, in bytes
     * @param remoteAddress address of this packet's first byte
     */
    record Write(
            Header header,
            Message message,
            int rkey,
            int messageLength,
            long remoteAddress,
            List<Option> options,
            Bytes payload)
            implements Packet {
        @Override
        public int opcode() {
            return Opcode.WRITE;
        }
    }

    /**
     * RDMA write that consumes a receive.
     *
     * @param rkey key of the region
     * @param messageLength length of the whole message, in bytes
     * @param remoteAddress address of this packet's first byte
     * @param rsn receive consumed; in every fragment
     * @param immediate immediate data, a number in network order; in every fragment
     */
    record WriteImmediate(
            Header header,
            Message message,
            int rkey,
            int messageLength,
            long remoteAddress,
            int rsn,
            int immediate,
            List<Option> options,
            Bytes payload)
            implements Packet {
        @Override
        public int opcode() {
            return Opcode.WRITE_IMM;
        }
    }

    /**
     * Send.
     *
     * @param rsn receive consumed
     * @param messageLength length of the whole message, in bytes
     */
    record Send(Header header, Message message, int rsn, int messageLength, List<Option> options, Bytes payload)
            implements Packet {
        @Override
        public int opcode() {
            return Opcode.SEND;
        }
    }

    /**
     * Send with immediate data.
     *
     * @param rsn receive consumed
     * @param messageLength length of the whole message, in bytes
     * @param immediate immediate data, a number in network order
     */
    record SendImmediate(
            Header header,
            Message message,
            int rsn,
            int messageLength,
            int immediate,
            List<Option> options,
            Bytes payload)
            implements Packet {
        @Override
        public int opcode() {
            return Opcode.SEND_IMM;
        }
    }

    /**
     * Send that invalidates a key.
     *
     * @param rsn receive consumed
     * @param messageLength length of the whole message, in bytes
     * @param invalidateRkey key to invalidate
     */
    record SendInvalidate(
            Header header,
            Message message,
            int rsn,
            int messageLength,
            int invalidateRkey,
            List<Option> options,
            Bytes payload)
            implements Packet {
        @Override
        public int opcode() {
            return Opcode.SEND_INV;
        }
    }

    /**
     * RDMA read.
     *
     * @param rkey key of the region
     * @param length bytes to read, in bytes
     * @param remoteAddress address of the first byte
     * @param rdTag names the read in its responses
     * @param rateHint share of inbound bandwidth granted to the peer, as RateHint16
     * @param hintSeq low 16 bits of the last AckSeq this side has sent
     */
    record ReadRequest(
            Header header,
            Message message,
            int rkey,
            int length,
            long remoteAddress,
            int rdTag,
            int rateHint,
            int hintSeq,
            List<Option> options)
            implements Packet {
        @Override
        public int opcode() {
            return Opcode.READ_REQ;
        }
    }

    /**
     * Atomic operation.
     *
     * @param rkey key of the region
     * @param atTag names the operation in its response
     * @param remoteAddress address of the number
     * @param op the operation
     * @param size width of the number, in bytes
     * @param operandA CAS compare, FAA addend, SWAP new value; a number in network order
     * @param operandB CAS new value; a number in network order
     */
    record AtomicRequest(
            Header header,
            Message message,
            int rkey,
            int atTag,
            long remoteAddress,
            int op,
            int size,
            long operandA,
            long operandB,
            List<Option> options)
            implements Packet {
        @Override
        public int opcode() {
            return Opcode.ATOMIC_REQ;
        }
    }

    /**
     * Data of a read.
     *
     * @param rdTag the read
     * @param offset offset of the payload in the read, in bytes
     * @param totLen length of the whole read, in bytes
     * @param status 0, or why the read failed; then no payload
     * @param demand bytes still queued on this connection after this packet, as Demand8
     */
    record ReadResponse(
            Header header,
            int rdTag,
            int offset,
            int totLen,
            int status,
            int demand,
            List<Option> options,
            Bytes payload)
            implements Packet {
        @Override
        public int opcode() {
            return Opcode.READ_RESP;
        }
    }

    /**
     * Result of an atomic.
     *
     * @param atTag the operation
     * @param status 0, or why the operation failed
     * @param original the number before the operation
     */
    record AtomicResponse(Header header, int atTag, int status, long original, List<Option> options) implements Packet {
        @Override
        public int opcode() {
            return Opcode.ATOMIC_RESP;
        }
    }

    /**
     * End of a read or atomic that failed.
     *
     * @param tag the read or atomic
     * @param code why the rest will not come
     * @param kind what the tag names
     */
    record StatusResponse(Header header, int tag, int code, int kind, List<Option> options) implements Packet {
        @Override
        public int opcode() {
            return Opcode.STATUS_RESP;
        }
    }

    /**
     * What every packet says; version and opcode are known without.
     *
     * @param flags flags: M, R, A, X
     * @param pathId the path; of packets other than slots and PROBE(T) the path whose route carries them; handshake 0
     * @param pathEpoch epoch of the path; compared for equality only
     * @param dstConnId the connection, chosen by the receiver; the only demultiplexer
     * @param psn slot: the slot; PROBE(T): next PSN of the path; report: AckSeq; else 0
     * @param txStamp transmission time and ordinal; strictly increasing over slots and PROBE(T) of a path, in units of
     *     16 ns
     */
    record Header(int flags, int pathId, int pathEpoch, int dstConnId, int psn, int txStamp) {}

    /**
     * Which message of which stream a request belongs to.
     *
     * @param streamId the stream
     * @param attempt which attempt at the message, from 0
     * @param messageFlags flags: SOLICITED, ORDERED, UNORDERED_OK, WITHDRAWN
     * @param demand bytes still queued on this connection after this packet, as Demand8
     * @param msn message number in the stream
     * @param messageOffset offset of this packet's first payload byte; 0 for READ_REQ and ATOMIC_REQ, in bytes
     */
    record Message(int streamId, int attempt, int messageFlags, int demand, int msn, int messageOffset) {}

    /**
     * What one path has received.
     *
     * @param pathId the path
     * @param epoch epoch of the packet that carried EchoStamp
     * @param flags flags: GAP, MARKED, OUT_OF_WINDOW
     * @param cumPsn all PSN before it were accepted, it itself was not
     * @param echoStamp highest TxStamp received on the path, in units of 16 ns
     * @param ackDelay from arrival of the echoed packet to this report; 0xFFFF: no RTT sample, in units of 64 ns
     * @param sackOffset bit i of the bitmap is PSN CumPSN + SackOff + i
     * @param rxPackets slots (accepted or duplicate) and PROBE(T) received so far; wraps
     * @param cePackets how many of them carried CE or M; wraps
     * @param duplicates how many were duplicates; wraps
     * @param bitmap word k is a big-endian integer; bit i is word i / 64, bit i mod 64 from the least significant
     */
    record Block(
            int pathId,
            int epoch,
            int flags,
            int cumPsn,
            int echoStamp,
            int ackDelay,
            int sackOffset,
            int rxPackets,
            int cePackets,
            int duplicates,
            List<Long> bitmap) {}

    /**
     * What one stream has come to.
     *
     * @param streamId the stream
     * @param flags flags: REFUSED, FAILED, LIMIT_VALID, OPEN, QUIET
     * @param code refused attempt or error_code, by the flags
     * @param nextMsn every message before it is complete
     * @param rsnLimit receives posted so far
     */
    record Update(int streamId, int flags, int code, int nextMsn, int rsnLimit) {}

    /**
     * Entry of STREAM_QUERY.
     *
     * @param streamId the stream
     */
    record StreamEntry(int streamId) {}

    /**
     * An option.
     *
     * @param type number of {@link io.metaroce.wire.Tlv}
     * @param value what follows type and length: 4 n - 2 bytes
     */
    record Option(int type, Bytes value) {}
}
