package io.metaroce.collective;

import java.util.Arrays;
import java.util.List;

/**
 * What must happen before what, over all ranks. Every node is an event; a message has a second one, its end at the
 * sender, and so has a read. Sending comes before arriving, arriving before that end; of the sends of a stream the
 * first comes first.
 */
final class EventGraph {
    /** Most events; what is known of each pair takes a bit. */
    static final int EVENTS_MAX = 1 << 15;

    private final List<Program> programs;
    private final int[] firstEvent; // of each rank, and the end
    private final int[][] end; // [rank][node]: the event of its end
    private final int[][] sender; // [rank][node]: the node that sends what a RECV hears of
    private final int[][] next; // of each event
    private final int[] order; // of events; shorter than all of them if there is a cycle
    private final long[][] before; // of each event: bits of all that come before it, and its own

    EventGraph(List<Program> programs) {
        this.programs = programs;
        int ranks = programs.size();
        firstEvent = new int[ranks + 1];
        end = new int[ranks][];
        sender = new int[ranks][];
        for (int rank = 0; rank < ranks; rank++) {
            Program program = programs.get(rank);
            sender[rank] = new int[program.nodes()];
            Arrays.fill(sender[rank], Program.NONE);
            end[rank] = new int[program.nodes()];
            int at = firstEvent[rank] + program.nodes();
            for (int node = 0; node < program.nodes(); node++) {
                end[rank][node] =
                        program.op(node).isMessage() || program.op(node) == Op.READ ? at++ : firstEvent[rank] + node;
            }
            firstEvent[rank + 1] = at;
        }
        if (events() > EVENTS_MAX) {
            throw new IllegalArgumentException(
                    events() + " events; at most " + EVENTS_MAX + " can be checked, take fewer ranks or slices");
        }
        next = edges();
        order = sorted();
        before = isAcyclic() ? closure() : new long[0][];
    }

    int events() {
        return firstEvent[programs.size()];
    }

    boolean isAcyclic() {
        return order.length == events();
    }

    /** The event at which a node begins; of a RECV the arrival. */
    int start(int rank, int node) {
        return firstEvent[rank] + node;
    }

    /** The event at which a node is over. */
    int end(int rank, int node) {
        return end[rank][node];
    }

    /** The node that sends what this one hears of, at {@code peer(node)}. */
    int sender(int rank, int node) {
        return sender[rank][node];
    }

    /** All events, each after those before it. */
    int[] order() {
        return order;
    }

    /** The rank an event is of. */
    int rankOf(int event) {
        int at = Arrays.binarySearch(firstEvent, event);
        int rank = at >= 0 ? at : -at - 2;
        while (firstEvent[rank + 1] == firstEvent[rank]) {
            rank++;
        }
        return rank;
    }

    /** The node whose start an event is; {@link Program#NONE} if it is the end of a message. */
    int nodeOf(int event) {
        int rank = rankOf(event);
        int node = event - firstEvent[rank];
        return node < programs.get(rank).nodes() ? node : Program.NONE;
    }

    /** Whether one event always comes before another, or is the same. */
    boolean isBefore(int first, int second) {
        return (before[second][first >> 6] & (1L << (first & 63))) != 0;
    }

    /** Whether anything that a rank does always comes before an event; what arrives at it may come before it begins. */
    boolean hasBegun(int rank, int event) {
        Program program = programs.get(rank);
        for (int node = 0; node < program.nodes(); node++) {
            if (!program.op(node).isArrival() && isBefore(start(rank, node), event)) {
                return true;
            }
        }
        return false;
    }

    /** Messages one after the other on the longest way through all ranks. */
    int longestChain() {
        int[] depth = new int[events()];
        int longest = 0;
        for (int event : order) {
            longest = Math.max(longest, depth[event]);
            for (int following : next[event]) {
                depth[following] = Math.max(depth[following], depth[event] + messages(event, following));
            }
        }
        return longest;
    }

    /** A message takes one, a read two: the question and its answer. */
    private int messages(int event, int following) {
        boolean isElsewhere = rankOf(following) != rankOf(event);
        int node = nodeOf(event);
        if (nodeOf(following) != Program.NONE) {
            return isElsewhere ? 1 : 0;
        }
        return node != Program.NONE && programs.get(rankOf(event)).op(node) == Op.READ ? 2 : 0;
    }

    private int[][] edges() {
        int[][] all = new int[events()][];
        for (int rank = 0; rank < programs.size(); rank++) {
            Program program = programs.get(rank);
            for (int node = 0; node < program.nodes(); node++) {
                int[] following = new int[program.successors(node)];
                for (int i = 0; i < following.length; i++) {
                    following[i] = start(rank, program.successor(node, i));
                }
                all[end(rank, node)] = following;
            }
        }
        for (int rank = 0; rank < programs.size(); rank++) {
            for (int node = 0; node < programs.get(rank).nodes(); node++) {
                if (programs.get(rank).op(node).isMessage()) {
                    message(all, rank, node);
                } else if (programs.get(rank).op(node) == Op.READ) {
                    all[start(rank, node)] = new int[] {end(rank, node)};
                }
            }
            inTurn(all, rank);
        }
        return all;
    }

    /** Each send of a stream is posted before the next one. */
    private void inTurn(int[][] all, int rank) {
        Program program = programs.get(rank);
        int[] last = new int[program.nodes()]; // of each stream
        Arrays.fill(last, Program.NONE);
        for (int node = 0; node < program.nodes(); node++) {
            if (program.op(node) == Op.SEND) {
                int before = last[program.stream(node)];
                if (before != Program.NONE) {
                    add(all, start(rank, before), start(rank, node));
                }
                last[program.stream(node)] = node;
            }
        }
    }

    private static void add(int[][] all, int event, int following) {
        int[] more = Arrays.copyOf(all[event], all[event].length + 1);
        more[more.length - 1] = following;
        all[event] = more;
    }

    private void message(int[][] all, int rank, int node) {
        int peer = programs.get(rank).peer(node);
        int recv = programs.get(rank).immediate(node);
        Program other = programs.get(peer);
        if (recv < 0
                || recv >= other.nodes()
                || other.op(recv) != (programs.get(rank).op(node) == Op.SEND ? Op.RECV_INTO : Op.RECV)
                || other.peer(recv) != rank
                || sender[peer][recv] != Program.NONE) {
            throw new IllegalArgumentException("rank " + rank + ", node " + node + ": node " + recv + " of rank " + peer
                    + " does not wait for it");
        }
        sender[peer][recv] = node;
        int arrival = start(peer, recv);
        all[start(rank, node)] = new int[] {arrival};
        add(all, arrival, end(rank, node));
    }

    private int[] sorted() {
        int[] waits = new int[events()];
        for (int[] following : next) {
            for (int event : following) {
                waits[event]++;
            }
        }
        int[] sorted = new int[events()];
        int count = 0;
        for (int event = 0; event < waits.length; event++) {
            if (waits[event] == 0) {
                sorted[count++] = event;
            }
        }
        for (int i = 0; i < count; i++) {
            for (int event : next[sorted[i]]) {
                if (--waits[event] == 0) {
                    sorted[count++] = event;
                }
            }
        }
        return Arrays.copyOf(sorted, count);
    }

    private long[][] closure() {
        int words = (events() + 63) / 64;
        long[][] all = new long[events()][words];
        for (int event : order) {
            long[] own = all[event];
            own[event >> 6] |= 1L << (event & 63);
            for (int following : next[event]) {
                for (int i = 0; i < words; i++) {
                    all[following][i] |= own[i];
                }
            }
        }
        return all;
    }
}
