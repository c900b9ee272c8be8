package io.metaroce.collective;

import io.metaroce.verbs.Connection;
import io.metaroce.verbs.FlushReport;
import io.metaroce.verbs.PendingConnection;
import io.metaroce.verbs.QueuePair;
import io.metaroce.verbs.VerbsConnectException;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The connection to one other rank. */
final class Link {
    private static final Duration CLOSE = Duration.ofSeconds(2);
    private static final int RANK_SHIFT = 44;
    private static final int NUMBER_SHIFT = 20; // the bits below are those of a node
    private static final int NUMBER_MASK = (1 << (RANK_SHIFT - NUMBER_SHIFT)) - 1;
    private static final long OF_NODE = 1L << 62;

    private final int peer;
    private final QueuePair[] queuePairs; // those of lanes, then those of lanes of sends
    private final int lanes;
    private @Nullable PendingConnection pending;
    private @Nullable Connection connection;
    private @Nullable Greeting greeting;
    private @Nullable String lost;
    private boolean failed;

    /**
     * Posts all receives of the first {@code lanes} at once: whoever connects may write as soon as the connection
     * stands. Those of the others are posted by programs.
     */
    Link(int peer, QueuePair[] queuePairs, int lanes) {
        this.peer = peer;
        this.queuePairs = queuePairs;
        this.lanes = lanes;
        for (int lane = 0; lane < lanes; lane++) {
            for (int i = 0; i < queuePairs[lane].attributes().receiveDepth(); i++) {
                postReceive(lane);
            }
        }
    }

    /** What names a receive of this rank and queue pair among completions. */
    private static long receiveId(int peer, int number) {
        return Long.MIN_VALUE | ((long) peer << RANK_SHIFT) | ((long) number << NUMBER_SHIFT);
    }

    static boolean isReceive(long wrId) {
        return wrId < 0;
    }

    static int peerOf(long receiveId) {
        return (int) ((receiveId & Long.MAX_VALUE & ~OF_NODE) >>> RANK_SHIFT);
    }

    /** Which of the queue pairs. */
    static int numberOf(long receiveId) {
        return (int) (receiveId >>> NUMBER_SHIFT) & NUMBER_MASK;
    }

    /** Whether a node posted it. */
    static boolean isOfNode(long receiveId) {
        return (receiveId & OF_NODE) != 0;
    }

    static int nodeOf(long receiveId) {
        return (int) receiveId & (Program.NODES_MAX - 1);
    }

    /** Posts a receive that a node asks for; false if there is no room. */
    boolean postReceiveInto(int lane, int node, int lkey, long offset, int length) {
        return queuePairs[lanes + lane].postReceive(
                receiveId(peer, lanes + lane) | OF_NODE | node, lkey, offset, length);
    }

    void postReceive(int lane) {
        boolean posted = queuePairs[lane].postReceive(receiveId(peer, lane), 0, 0, 0);
        if (!posted) {
            throw new IllegalStateException("no room for a receive on " + queuePairs[lane]);
        }
    }

    QueuePair[] queuePairs() {
        return queuePairs;
    }

    QueuePair queuePair(int lane) {
        return queuePairs[lane];
    }

    /** That over which a lane's sends go: receives of both kinds do not mix on one stream. */
    QueuePair queuePairOfSends(int lane) {
        return queuePairs[lanes + lane];
    }

    void pending(PendingConnection value) {
        pending = value;
    }

    void greeting(Greeting value) {
        greeting = value;
    }

    /** What the peer has said; only once it {@link #stands}. */
    Greeting greeting() {
        return Objects.requireNonNull(greeting, "not connected");
    }

    void lost(String why) {
        lost = why;
    }

    /** Why nothing comes from the peer any more, or null. */
    @Nullable
    String lost() {
        return lost;
    }

    boolean hasFailed() {
        return failed;
    }

    /** Whether the connection stands. */
    boolean stands() {
        PendingConnection waiting = pending;
        if (waiting != null && waiting.isDone()) {
            pending = null;
            try {
                connection = waiting.await(Duration.ofMillis(1));
                greeting = greeting == null ? Greeting.read(connection.privateData()) : greeting;
            } catch (VerbsConnectException e) {
                failed = true;
            }
        }
        return connection != null;
    }

    void close() {
        if (connection != null) {
            FlushReport unused = connection.close(CLOSE);
        } else if (pending != null) {
            pending.cancel();
        }
        for (QueuePair queuePair : queuePairs) {
            queuePair.close();
        }
    }
}
