package io.metaroce.collective;

import java.util.Map;
import java.util.TreeMap;

/**
 * What one rank does: nodes, and who waits for whom. Immutable; parallel arrays, so that running it allocates nothing.
 *
 * <p>A node is ready when all nodes it depends on are complete. A {@link Op#WRITE_IMM} is complete when the peer has
 * acknowledged it, and its immediate bits name the {@link Op#RECV} of the peer's program that it completes; likewise a
 * {@link Op#SEND} and its {@link Op#RECV_INTO}, which are each in turn on their stream: the n-th of one end goes to the
 * n-th of the other. A buffer is the application's until its rank begins: the first bytes of a peer wait for a message
 * without bytes that says so.
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
    private final int[] stream; // of each SEND: which of the streams that sends go over
    private final int[] turn; // of each SEND: how many of that stream go before it

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
        stream = new int[columns.op.length];
        turn = new int[columns.op.length];
        giveTurns();
    }

    private void giveTurns() {
        Map<Long, Integer> streams = new TreeMap<>();
        int[] next = new int[columns.op.length];
        for (int node = 0; node < columns.op.length; node++) {
            if (columns.op[node] == Op.SEND || columns.op[node] == Op.RECV_INTO) {
                long lane = 2L * columns.lane[node] + (columns.op[node] == Op.SEND ? 0 : 1);
                long key = ((long) columns.peer[node] << Integer.SIZE) | lane;
                stream[node] = streams.computeIfAbsent(key, unused -> streams.size());
                turn[node] = next[stream[node]]++;
            }
        }
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

    /** The rank that a node writes to, sends to, reads from or hears from; meaningless for others. */
    public int peer(int node) {
        return columns.peer[node];
    }

    /** Which of the streams between both a node uses. */
    public int lane(int node) {
        return columns.lane[node];
    }

    /** The buffer a node reads: of the peer for {@link Op#READ}, its own rank's for others. */
    public Buffer source(int node) {
        return columns.source[node];
    }

    /** Where in it. */
    public int sourceOffset(int node) {
        return columns.sourceOffset[node];
    }

    /** The buffer a node changes: of the peer for {@link Op#isMessage}, its own rank's for others. */
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

    /** For {@link Op#isMessage} the node of the peer's program that it completes. */
    public int immediate(int node) {
        return columns.immediate[node];
    }

    /** For {@link Op#SEND} and {@link Op#RECV_INTO} which stream of this rank and direction it takes, from 0. */
    public int stream(int node) {
        return stream[node];
    }

    /** For {@link Op#SEND} and {@link Op#RECV_INTO} how many of its stream must have been posted before. */
    public int turn(int node) {
        return turn[node];
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

    /** Messages this rank sends, those without bytes included, and reads. */
    public int messagesSent() {
        return count(Op.WRITE_IMM) + count(Op.SEND) + count(Op.READ);
    }

    /** Messages that arrive here: so many receives are needed at most. */
    public int messagesReceived() {
        return count(Op.RECV) + count(Op.RECV_INTO);
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
