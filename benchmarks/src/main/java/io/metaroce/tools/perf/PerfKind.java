package io.metaroce.tools.perf;

/** The four tests. */
public enum PerfKind {
    /** Bandwidth of RDMA WRITE. */
    WRITE_BW(1, "RDMA_Write BW Test", 65536, 5000, 128),
    /** Latency of RDMA WRITE, each way announced by an immediate. */
    WRITE_LAT(2, "RDMA_Write Latency Test", 2, 1000, 1),
    /** Bandwidth of SEND. */
    SEND_BW(3, "Send BW Test", 65536, 1000, 128),
    /** Latency of SEND. */
    SEND_LAT(4, "Send Latency Test", 2, 1000, 1);

    private final int number;
    private final String title;
    private final int size;
    private final int iterations;
    private final int depth;

    PerfKind(int number, String title, int size, int iterations, int depth) {
        this.number = number;
        this.title = title;
        this.size = size;
        this.iterations = iterations;
        this.depth = depth;
    }

    /** Number that travels in the handshake. */
    int number() {
        return number;
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
        return this == WRITE_BW || this == SEND_BW;
    }

    /** Whether it writes into the peer's memory. */
    public boolean isWrite() {
        return this == WRITE_BW || this == WRITE_LAT;
    }
}
