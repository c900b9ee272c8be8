package io.metaroce.queue;

/**
 * What a send work request asks for. Names and values are those of {@code ibv_wr_opcode} in rdma-core; one is our own.
 */
public enum WrOpcode {
    /** 0: put bytes into the peer's memory. */
    RDMA_WRITE(0, WcOpcode.RDMA_WRITE),
    /** 1: put bytes into the peer's memory and use up one of its receives to tell it, with 32 bits of its own. */
    RDMA_WRITE_WITH_IMM(1, WcOpcode.RDMA_WRITE),
    /** 2: fill one of the peer's receives. */
    SEND(2, WcOpcode.SEND),
    /** 3: the same with 32 bits of its own. */
    SEND_WITH_IMM(3, WcOpcode.SEND),
    /** 4: fetch bytes from the peer's memory. */
    RDMA_READ(4, WcOpcode.RDMA_READ),
    /** 5: replace 8 bytes of the peer's memory if they equal a value; fetch what was there. */
    ATOMIC_CMP_AND_SWP(5, WcOpcode.COMP_SWAP),
    /** 6: add to 8 bytes of the peer's memory; fetch what was there. */
    ATOMIC_FETCH_AND_ADD(6, WcOpcode.FETCH_ADD),
    /** 7: make a local key invalid. */
    LOCAL_INV(7, WcOpcode.LOCAL_INV),
    /** 8: bind a memory window. */
    BIND_MW(8, WcOpcode.BIND_MW),
    /** 9: fill one of the peer's receives and make one of its keys invalid. */
    SEND_WITH_INV(9, WcOpcode.SEND),
    /** 256, not of rdma-core: replace 8 bytes of the peer's memory in any case; fetch what was there. */
    ATOMIC_SWP(256, WcOpcode.COMP_SWAP);

    private final int value;
    private final WcOpcode completion;

    WrOpcode(int value, WcOpcode completion) {
        this.value = value;
        this.completion = completion;
    }

    /** The number of this opcode in rdma-core. */
    public int value() {
        return value;
    }

    /** The opcode its completion carries. */
    public WcOpcode completion() {
        return completion;
    }

    /** Whether it uses up a receive of the peer. */
    public boolean consumesReceive() {
        return switch (this) {
            case SEND, SEND_WITH_IMM, SEND_WITH_INV, RDMA_WRITE_WITH_IMM -> true;
            case RDMA_WRITE, RDMA_READ, ATOMIC_CMP_AND_SWP, ATOMIC_FETCH_AND_ADD, ATOMIC_SWP, LOCAL_INV, BIND_MW ->
                false;
        };
    }

    /** Whether it fetches bytes from the peer, so that it is done only when they have come. */
    public boolean fetches() {
        return this == RDMA_READ || isAtomic();
    }

    /** Whether it works on 8 bytes of the peer's memory at once. */
    public boolean isAtomic() {
        return this == ATOMIC_CMP_AND_SWP || this == ATOMIC_FETCH_AND_ADD || this == ATOMIC_SWP;
    }
}
