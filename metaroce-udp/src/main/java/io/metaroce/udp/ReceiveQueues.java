package io.metaroce.udp;

import java.util.ArrayList;
import java.util.List;

/**
 * The sockets that packets of one path may arrive on, and when all of them have been emptied: in each turn of the loop
 * every socket that has something is read, so it is empty after it unless reading stopped at its limit.
 *
 * <p>Thread rule: the event loop.
 */
final class ReceiveQueues {
    private static final class Queue {
        private final ReadBuffer buffer;
        private boolean wasEmpty; // since the last pass ended
        private int reads; // when it was looked at last

        Queue(ReadBuffer buffer) {
            this.buffer = buffer;
        }
    }

    private final LoopTurns turns;
    private final List<Queue> queues = new ArrayList<>();
    private long lastTurn;

    ReceiveQueues(LoopTurns turns) {
        this.turns = turns;
    }

    /** One more socket, whose reading begins now. */
    void add(ReadBuffer buffer) {
        buffer.restart();
        queues.add(new Queue(buffer));
    }

    /** Whether every socket has been empty since this was last true; to be asked in each pass. */
    boolean passEnded() {
        long turn = turns.number();
        if (turn == lastTurn) {
            return false; // the kernel has not been asked again since
        }
        lastTurn = turn;
        boolean all = true;
        for (int i = 0; i < queues.size(); i++) {
            Queue queue = queues.get(i);
            // Left at the limit it may have been empty just then; if so, the kernel does not offer it again.
            boolean wasOffered = queue.reads != queue.buffer.reads();
            queue.reads = queue.buffer.reads();
            queue.wasEmpty |= !wasOffered || !queue.buffer.hasMore();
            all &= queue.wasEmpty;
        }
        if (all) {
            for (int i = 0; i < queues.size(); i++) {
                queues.get(i).wasEmpty = false;
            }
        }
        return all;
    }
}
