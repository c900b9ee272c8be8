package io.metaroce.collective;

/**
 * Runs programs of one rank, one after the other. All ranks must run the same tasks in the same order.
 *
 * <p>Ranks may be some runs ahead of each other. Only messages without bytes come before their run begins here, since
 * others wait until this rank says that it has begun; and whoever sends one cannot end that run before. So at most a
 * few of each peer wait, and the number of the run in their immediate bits tells them apart.
 *
 * <p>Receives are posted as soon as a run begins, as far as there is room, each stream's in turn; sends of a stream
 * wait for their turn.
 *
 * <p>Deterministic: of nodes that are ready the one with the lowest priority, then number, goes first. A run allocates
 * nothing.
 */
public final class ProgramRunner {
    private static final int RUN_SHIFT = 20;
    private static final int RUN_MASK = -1 >>> RUN_SHIFT;
    private static final int AHEAD_MAX = RUN_MASK / 2;
    private static final int NODE_MASK = Program.NODES_MAX - 1;
    private static final Program EMPTY = Schedules.compile(Task.of(Collective.BARRIER, Algorithm.DISSEMINATION, 1, 0))
            .get(0);

    private final RankIo io;
    private final NodeHeap ready;
    private final int[] remaining; // of each node: on how many it still waits
    private final int[] refused; // nodes for which there was no room
    private final int[] early; // immediate bits that belong to later runs
    private final boolean[] isRecv;
    private final int[] receives; // nodes whose receives have not been posted yet, in turn
    private final int[] posted; // of each stream of sends and of receives: how many have been posted
    private int receiveCount;
    private int refusedCount;
    private int earlyCount;
    private int left; // nodes that are not complete
    private int run;
    private Program program;
    private long beganNs;
    private long doneNs;

    /**
     * A runner.
     *
     * @param io where nodes are done
     * @param nodesMax nodes of the largest program
     * @param earlyMax messages of later runs that may come before this rank begins them: two of each peer
     */
    public ProgramRunner(RankIo io, int nodesMax, int earlyMax) {
        this.io = io;
        ready = new NodeHeap(nodesMax);
        remaining = new int[nodesMax];
        refused = new int[nodesMax];
        isRecv = new boolean[nodesMax];
        receives = new int[nodesMax];
        posted = new int[nodesMax];
        early = new int[earlyMax];
        program = EMPTY;
    }

    /** Begins to run a program; the one before must be done. */
    public void begin(Program next) {
        if (left != 0) {
            throw new IllegalStateException(program + " is not done, " + left + " nodes are left");
        }
        program = next;
        run = (run + 1) & RUN_MASK;
        left = next.nodes();
        beganNs = io.nowNs();
        doneNs = beganNs;
        ready.clear(next);
        for (int node = 0; node < left; node++) {
            isRecv[node] = next.op(node).isArrival();
            posted[node] = 0;
            if (next.op(node) == Op.RECV_INTO) {
                receives[receiveCount++] = node;
            }
            remaining[node] = next.dependencies(node) + (isRecv[node] ? 1 : 0);
            if (remaining[node] == 0) {
                ready.add(node);
            }
        }
        postReceives();
        int waiting = earlyCount;
        earlyCount = 0;
        for (int i = 0; i < waiting; i++) {
            arrived(early[i]);
        }
    }

    /** Does all that can be done now. Returns whether the program is done. */
    public boolean turn() {
        boolean moves = true;
        while (moves) {
            moves = take();
            moves |= post();
        }
        return left == 0;
    }

    /** Whether a message of that rank has still to come. Looks at all nodes. */
    public boolean waitsFor(int peer) {
        for (int node = 0; node < program.nodes(); node++) {
            if (isRecv[node] && remaining[node] == 1 && program.peer(node) == peer) {
                return true;
            }
        }
        return false;
    }

    /** How long the last run took, in ns; so far, if it is not done. */
    public long tookNs() {
        return (left == 0 ? doneNs : io.nowNs()) - beganNs;
    }

    private boolean take() {
        boolean any = false;
        for (long event = io.poll(); event != RankIo.NOTHING; event = io.poll()) {
            any = true;
            if ((event & RankIo.ARRIVED) != 0) {
                arrived((int) event);
            } else {
                complete((int) event);
                again();
            }
        }
        return any;
    }

    private boolean post() {
        boolean any = false;
        while (!ready.isEmpty()) {
            int node = ready.takeFirst();
            if (program.op(node) == Op.NOP) {
                complete(node);
                any = true;
                continue;
            }
            boolean isSend = program.op(node) == Op.SEND;
            if (isSend && program.turn(node) != posted[program.stream(node)]) {
                refused[refusedCount++] = node;
                continue;
            }
            switch (io.post(program, node, (run << RUN_SHIFT) | (program.immediate(node) & NODE_MASK))) {
                case DONE -> {
                    complete(node);
                    any = true;
                }
                case UNDER_WAY -> any = true;
                case FULL -> {
                    refused[refusedCount++] = node;
                    continue;
                }
            }
            if (isSend) {
                posted[program.stream(node)]++;
                again(); // it may be the next one's turn
            }
        }
        return any;
    }

    /** Posts what has room, of each stream in turn: room that appears meanwhile is for the one that waits longest. */
    private void postReceives() {
        int left = 0;
        for (int i = 0; i < receiveCount; i++) {
            int node = receives[i];
            int stream = program.stream(node);
            if (program.turn(node) == posted[stream] && io.post(program, node, 0) != RankIo.Posted.FULL) {
                posted[stream]++;
            } else {
                receives[left++] = node;
            }
        }
        receiveCount = left;
    }

    /** Something has ended, so there may be room again. */
    private void again() {
        for (int i = 0; i < refusedCount; i++) {
            ready.add(refused[i]);
        }
        refusedCount = 0;
    }

    private void arrived(int immediate) {
        int of = immediate >>> RUN_SHIFT;
        int node = immediate & NODE_MASK;
        if (of == run && left > 0) {
            if (node >= program.nodes() || !isRecv[node] || remaining[node] != 1) {
                throw new IllegalStateException(program + ": a message for node " + node
                        + ", which waits for none; do all ranks run the same?");
            }
            remaining[node] = 0;
            complete(node);
            if (receiveCount > 0 && program.op(node) == Op.RECV_INTO) {
                postReceives();
            }
        } else if (of != run && ((of - run) & RUN_MASK) <= AHEAD_MAX && earlyCount < early.length) {
            early[earlyCount++] = immediate;
        } else {
            throw new IllegalStateException(program + ", run " + run + ": a message for run " + of + " while "
                    + earlyCount + " early ones wait; do all ranks run the same?");
        }
    }

    private void complete(int node) {
        left--;
        for (int i = 0; i < program.successors(node); i++) {
            int next = program.successor(node, i);
            if (--remaining[next] == 0) {
                ready.add(next);
            }
        }
        if (left == 0) {
            doneNs = io.nowNs();
        }
    }

    @Override
    public String toString() {
        return "run " + run + " of " + program + ", " + left + " nodes left, " + refusedCount + " without room";
    }
}
