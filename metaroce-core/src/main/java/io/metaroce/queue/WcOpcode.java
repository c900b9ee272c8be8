package io.metaroce.queue;

/** What a completed work request was. Names and values are those of {@code ibv_wc_opcode} in rdma-core. */
public enum WcOpcode {
    /** 0: a Send of any kind. */
    SEND(0),
    /** 1: a Write, with or without immediate. */
    RDMA_WRITE(1),
    /** 2: a Read. */
    RDMA_READ(2),
    /** 3: an atomic compare and swap. */
    COMP_SWAP(3),
    /** 4: an atomic fetch and add. */
    FETCH_ADD(4),
    /** 5: a memory window was bound. */
    BIND_MW(5),
    /** 6: a local key was invalidated. */
    LOCAL_INV(6),
    /** 128: a receive was filled by a Send. */
    RECV(128),
    /** 129: a receive was used up by a Write with immediate. */
    RECV_RDMA_WITH_IMM(129);

    private final int value;

    WcOpcode(int value) {
        this.value = value;
    }

    /** The number of this opcode in rdma-core. */
    public int value() {
        return value;
    }

    /** Whether it belongs to a receive queue; as in rdma-core, the bit of weight 128 says so. */
    public boolean isReceive() {
        return (value & 128) != 0;
    }
}
