package io.metaroce.collective;

/**
 * What one rank does: nodes, and who waits for whom. Immutable; parallel arrays, so that running it allocates nothing.
 *
 * <p>A node is ready when all nodes it depends on are complete. A {@link Op#WRITE_IMM} is complete when the peer has
 * acknowledged it, and its immediate bits name the {@link Op#RECV} of the peer's program that it completes. A buffer is
 * the application's until its rank begins: the first write of a peer waits for a message without bytes that says so.
 */
public final class Program {
    /** No node. */
    public static final int NONE = -1;
    /** Most nodes of a program: so many have room in the immediate bits beside the number of the run. */
    public static final int NODES_MAX = 1 << 20;

    private final Task task;
    private final int rank;
    private final Columns columns;
    private final int[] bufferBytes;

    /**
     * The columns, one entry a node; {@code successors} of node n stand from {@code firstSuccessor[n]} to before
     * {@code firstSuccessor[n + 1]}.
     */
    @SuppressWarnings("ArrayRecordComponent") // columns of one table, never compared
    record Columns(
            Op[] op,
            int[] peer,
            int[] lane,
            Buffer[] source,
            int[] sourceOffset,
            Buffer[] target,
            int[] targetOffset,
            int[] length,
            int[] immediate,
            int[] priority,
            int[] dependencies,
            int[] firstSuccessor,
            int[] successors) {}

    Program(Task task, int rank, Columns columns, int[] bufferBytes) {
        this.task = task;
        this.rank = rank;
        this.columns = columns;
        this.bufferBytes = bufferBytes;
    }

    /** What it was compiled from. */
    public Task task() {
        return task;
    }

    /** Whose it is. */
    public int rank() {
        return rank;
    }

    /** Number of nodes. */
    public int nodes() {
        return columns.op.length;
    }

    /** Bytes that a buffer must have at least. */
    public int bufferBytes(Buffer buffer) {
        return bufferBytes[buffer.index()];
    }

    /** What a node does. */
    public Op op(int node) {
        return columns.op[node];
    }

    /** The rank that a node writes to or hears from; meaningless for others. */
    public int peer(int node) {
        return columns.peer[node];
    }

    /** Which of the streams between both a node uses. */
    public int lane(int node) {
        return columns.lane[node];
    }

    /** The buffer a node reads, its own rank's. */
    public Buffer source(int node) {
        return columns.source[node];
    }

    /** Where in it. */
    public int sourceOffset(int node) {
        return columns.sourceOffset[node];
    }

    /** The buffer a node changes: of the peer for {@link Op#WRITE_IMM}, its own rank's for others. */
    public Buffer target(int node) {
        return columns.target[node];
    }

    /** Where in it. */
    public int targetOffset(int node) {
        return columns.targetOffset[node];
    }

    /** Bytes that a node moves, 0 for some. */
    public int length(int node) {
        return columns.length[node];
    }

    /** For {@link Op#WRITE_IMM} the node of the peer's program that it completes. */
    public int immediate(int node) {
        return columns.immediate[node];
    }

    /** Of several ready nodes those with a lower number go first. */
    public int priority(int node) {
        return columns.priority[node];
    }

    /** On how many nodes a node depends. */
    public int dependencies(int node) {
        return columns.dependencies[node];
    }

    /** Number of nodes that depend on a node. */
    public int successors(int node) {
        return columns.firstSuccessor[node + 1] - columns.firstSuccessor[node];
    }

    /** The i-th of them. */
    public int successor(int node, int i) {
        return columns.successors[columns.firstSuccessor[node] + i];
    }

    /** Bytes this rank sends. */
    public long bytesSent() {
        long sum = 0;
        for (int node = 0; node < nodes(); node++) {
            sum += columns.op[node] == Op.WRITE_IMM ? columns.length[node] : 0;
        }
        return sum;
    }

    /** Messages this rank sends, those without bytes included. */
    public int messagesSent() {
        return count(Op.WRITE_IMM);
    }

    /** Messages that arrive here: so many receives are needed at most. */
    public int messagesReceived() {
        return count(Op.RECV);
    }

    private int count(Op wanted) {
        int count = 0;
        for (Op op : columns.op) {
            count += op == wanted ? 1 : 0;
        }
        return count;
    }

    @Override
    public String toString() {
        return task.what() + " by " + task.how() + ", rank " + rank + " of " + task.ranks() + ", " + nodes() + " nodes";
    }
}
