package io.metaroce.queue;

/**
 * One completion on its way. Filled by the endpoint's thread, read by the thread that took it, until it is released.
 */
public final class CompletionCell extends Cell {
    /** The room it takes up: a token of {@link RoomLedger}. Endpoint thread. */
    int token = RoomLedger.SHARED;

    /** Which life of the attachment whose token it is. Endpoint thread. */
    int life;

    private int qpNumber;
    private long wrId;
    private WcStatus status = WcStatus.SUCCESS;
    private WcOpcode opcode = WcOpcode.SEND;
    private int length;
    private int immediate;
    private int flags;

    CompletionCell(Object home) {
        super(home);
    }

    void set(int qpNumber, long wrId, WcStatus status, WcOpcode opcode, int length, int immediate, int flags) {
        this.qpNumber = qpNumber;
        this.wrId = wrId;
        this.status = status;
        this.opcode = opcode;
        this.length = length;
        this.immediate = immediate;
        this.flags = flags;
    }

    /** Which armings this completion answers: bits of {@link ArmMode}. */
    int answers() {
        boolean solicited = status != WcStatus.SUCCESS || (flags & WcFlag.SOLICITED) != 0;
        return solicited ? ArmMode.ANY.bit() | ArmMode.SOLICITED.bit() : ArmMode.ANY.bit();
    }

    /** Number of the queue pair. */
    public int qpNumber() {
        return qpNumber;
    }

    /** The application's own number for the request. */
    public long wrId() {
        return wrId;
    }

    /** How it ended. */
    public WcStatus status() {
        return status;
    }

    /** What it was; valid in error too. */
    public WcOpcode opcode() {
        return opcode;
    }

    /** Bytes received or read, unsigned. */
    public int length() {
        return length;
    }

    /** Immediate, or the key that was invalidated; {@link #flags()} says which. */
    public int immediate() {
        return immediate;
    }

    /** Bits of {@link WcFlag} as in rdma-core. */
    public int flags() {
        return flags & ~WcFlag.SOLICITED;
    }
}
