package io.metaroce.tools.perf;

/** The tests. */
public enum PerfKind {
    /** Bandwidth of RDMA WRITE. */
    WRITE_BW(1, Operation.WRITE, true, "RDMA_Write BW Test", 65536, 5000, 128),
    /** Latency of RDMA WRITE, each way announced by an immediate. */
    WRITE_LAT(2, Operation.WRITE, false, "RDMA_Write Latency Test", 2, 1000, 1),
    /** Bandwidth of SEND. */
    SEND_BW(3, Operation.SEND, true, "Send BW Test", 65536, 1000, 128),
    /** Latency of SEND. */
    SEND_LAT(4, Operation.SEND, false, "Send Latency Test", 2, 1000, 1),
    /** Bandwidth of RDMA READ. */
    READ_BW(5, Operation.READ, true, "RDMA_Read BW Test", 65536, 1000, 128),
    /** Latency of RDMA READ: whole round trips, for the answer is the operation. */
    READ_LAT(6, Operation.READ, false, "RDMA_Read Latency Test", 2, 1000, 1),
    /** Latency of fetch-and-add on eight bytes: whole round trips. */
    ATOMIC_LAT(7, Operation.ATOMIC, false, "Atomic FETCH_AND_ADD Latency Test", 8, 1000, 1);

    /** What is posted. */
    enum Operation {
        WRITE,
        SEND,
        READ,
        ATOMIC
    }

    private final int number;
    private final Operation operation;
    private final boolean bandwidth;
    private final String title;
    private final int size;
    private final int iterations;
    private final int depth;

    PerfKind(int number, Operation operation, boolean bandwidth, String title, int size, int iterations, int depth) {
        this.number = number;
        this.operation = operation;
        this.bandwidth = bandwidth;
        this.title = title;
        this.size = size;
        this.iterations = iterations;
        this.depth = depth;
    }

    /** Number that travels in the handshake. */
    int number() {
        return number;
    }

    /** What is posted. */
    Operation operation() {
        return operation;
    }

    /** Heading of the output. */
    public String title() {
        return title;
    }

    /** Message size when none is given, in bytes. */
    public int defaultSize() {
        return size;
    }

    /** Messages when neither number nor duration is given. */
    public int defaultIterations() {
        return iterations;
    }

    /** Requests outstanding per queue pair when no depth is given. */
    public int defaultDepth() {
        return depth;
    }

    /** Whether it measures bandwidth. */
    public boolean isBandwidth() {
        return bandwidth;
    }

    /** Whether it writes into the peer's memory. */
    public boolean isWrite() {
        return operation == Operation.WRITE;
    }

    /** Whether whoever posts gets something back: then the peer's application has no part in it. */
    boolean isFetch() {
        return operation == Operation.READ || operation == Operation.ATOMIC;
    }

    /** Whether what arrives consumes receives. */
    boolean consumesReceives(boolean validates) {
        return operation == Operation.SEND || (operation == Operation.WRITE && (validates || !bandwidth));
    }

    /** How latency is told: half of a round trip, or all of it. */
    String roundTrip() {
        return isFetch() ? "round trip" : "half round trip";
    }
}
