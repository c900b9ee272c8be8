package io.metaroce.message;

import io.metaroce.queue.WrOpcode;
import io.metaroce.wire.Opcode;

/** Which packets a work request travels in. */
final class OutOpcode {
    /** None: the operation is not built. */
    static final int NONE = 0;

    private OutOpcode() {}

    /** The opcode of the packets, or {@link #NONE}. */
    static int of(WrOpcode opcode) {
        return switch (opcode) {
            case RDMA_WRITE -> Opcode.WRITE;
            case RDMA_WRITE_WITH_IMM -> Opcode.WRITE_IMM;
            case SEND -> Opcode.SEND;
            case SEND_WITH_IMM -> Opcode.SEND_IMM;
            case SEND_WITH_INV -> Opcode.SEND_INV;
            case RDMA_READ -> Opcode.READ_REQ;
            case ATOMIC_CMP_AND_SWP, ATOMIC_FETCH_AND_ADD, ATOMIC_SWP -> Opcode.ATOMIC_REQ;
            case LOCAL_INV, BIND_MW -> NONE;
        };
    }
}
