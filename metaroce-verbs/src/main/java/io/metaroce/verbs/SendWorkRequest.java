package io.metaroce.verbs;

import io.metaroce.queue.WrOpcode;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;

/**
 * What may be posted to a send queue. Immutable; copied when it is posted, so one object may be posted many times.
 *
 * <p>An immediate is 32 bits that arrive in the receiver's completion as the number that was given here; on the wire
 * they travel in network byte order.
 */
public sealed interface SendWorkRequest {
    /** The caller's number; comes back in the completion. */
    long wrId();

    /** Where the payload is gathered from, in order; at most the queue pair's {@code sendSgeMax} pieces. */
    List<ScatterGatherEntry> entries();

    /** A payload that was given as bytes instead of entries; empty otherwise. Read-only. */
    ByteBuffer inlineData();

    /** How the request is to be treated. */
    Set<SendFlag> flags();

    /** The operation in the terms of verbs. */
    WrOpcode opcode();

    /** Begins a message that lands in the receive the peer posted for it. */
    static SendBuilder send(long wrId) {
        return new SendBuilder(wrId);
    }

    /** Begins a write into the peer's memory. */
    static WriteBuilder write(long wrId) {
        return new WriteBuilder(wrId);
    }

    /** Begins a read of the peer's memory. */
    static ReadBuilder read(long wrId) {
        return new ReadBuilder(wrId);
    }

    /** Begins an atomic operation on 8 aligned bytes of the peer's memory. */
    static AtomicBuilder atomic(long wrId) {
        return new AtomicBuilder(wrId);
    }

    /** A message that lands in the receive the peer posted for it. */
    record Send(long wrId, List<ScatterGatherEntry> entries, ByteBuffer inlineData, Set<SendFlag> flags)
            implements SendWorkRequest {
        @Override
        public WrOpcode opcode() {
            return WrOpcode.SEND;
        }
    }

    /** The same with 32 bits beside the payload. */
    record SendImmediate(
            long wrId, List<ScatterGatherEntry> entries, ByteBuffer inlineData, Set<SendFlag> flags, int immediate)
            implements SendWorkRequest {
        @Override
        public WrOpcode opcode() {
            return WrOpcode.SEND_WITH_IMM;
        }
    }

    /** A write into the peer's memory that its application is not told of. */
    record Write(
            long wrId,
            List<ScatterGatherEntry> entries,
            ByteBuffer inlineData,
            Set<SendFlag> flags,
            long remoteAddress,
            int rkey)
            implements SendWorkRequest {
        @Override
        public WrOpcode opcode() {
            return WrOpcode.RDMA_WRITE;
        }
    }

    /** A write into the peer's memory that consumes a receive there and tells its application 32 bits. */
    record WriteImmediate(
            long wrId,
            List<ScatterGatherEntry> entries,
            ByteBuffer inlineData,
            Set<SendFlag> flags,
            long remoteAddress,
            int rkey,
            int immediate)
            implements SendWorkRequest {
        @Override
        public WrOpcode opcode() {
            return WrOpcode.RDMA_WRITE_WITH_IMM;
        }
    }

    /** A message that also makes one of the peer's keys invalid, before its application hears of the message. */
    record SendInvalidate(
            long wrId, List<ScatterGatherEntry> entries, ByteBuffer inlineData, Set<SendFlag> flags, int rkey)
            implements SendWorkRequest {
        @Override
        public WrOpcode opcode() {
            return WrOpcode.SEND_WITH_INV;
        }
    }

    /** A request that brings bytes of the peer's memory into this side's, and so carries none. */
    sealed interface Fetch extends SendWorkRequest {
        /** Where the bytes are in the peer's memory. */
        long remoteAddress();

        /** Key of the peer's region. */
        int rkey();

        @Override
        default ByteBuffer inlineData() {
            return WorkRequestBuilder.NOTHING;
        }
    }

    /**
     * A read of the peer's memory. Its entries say where the bytes go, in order; their regions need
     * {@link AccessFlag#LOCAL_WRITE}, the peer's region {@link AccessFlag#REMOTE_READ}.
     */
    record Read(long wrId, List<ScatterGatherEntry> entries, Set<SendFlag> flags, long remoteAddress, int rkey)
            implements Fetch {
        @Override
        public WrOpcode opcode() {
            return WrOpcode.RDMA_READ;
        }
    }

    /**
     * Replaces 8 bytes of the peer's memory if they equal a value, and fetches what was there into 8 bytes of this
     * side's. The peer's region needs {@link AccessFlag#REMOTE_ATOMIC}.
     */
    record CompareAndSwap(
            long wrId,
            List<ScatterGatherEntry> entries,
            Set<SendFlag> flags,
            long remoteAddress,
            int rkey,
            long compare,
            long swap)
            implements Fetch {
        @Override
        public WrOpcode opcode() {
            return WrOpcode.ATOMIC_CMP_AND_SWP;
        }
    }

    /**
     * Replaces 8 bytes of the peer's memory, and fetches what was there into 8 bytes of this side's. Not an operation
     * of rdma-core. The peer's region needs {@link AccessFlag#REMOTE_ATOMIC}.
     */
    record Swap(
            long wrId, List<ScatterGatherEntry> entries, Set<SendFlag> flags, long remoteAddress, int rkey, long swap)
            implements Fetch {
        @Override
        public WrOpcode opcode() {
            return WrOpcode.ATOMIC_SWP;
        }
    }

    /**
     * Adds to 8 bytes of the peer's memory, modulo 2^64, and fetches what was there into 8 bytes of this side's. The
     * peer's region needs {@link AccessFlag#REMOTE_ATOMIC}.
     */
    record FetchAndAdd(
            long wrId, List<ScatterGatherEntry> entries, Set<SendFlag> flags, long remoteAddress, int rkey, long add)
            implements Fetch {
        @Override
        public WrOpcode opcode() {
            return WrOpcode.ATOMIC_FETCH_AND_ADD;
        }
    }
}
