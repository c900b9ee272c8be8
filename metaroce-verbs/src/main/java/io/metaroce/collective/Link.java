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
    private static final int RANK_SHIFT = 32;
    private static final int LANE_SHIFT = 16;

    private final int peer;
    private final QueuePair[] queuePairs;
    private @Nullable PendingConnection pending;
    private @Nullable Connection connection;
    private @Nullable Greeting greeting;
    private @Nullable String lost;
    private boolean failed;

    /** Posts all receives at once: whoever connects may write as soon as the connection stands. */
    Link(int peer, QueuePair[] queuePairs) {
        this.peer = peer;
        this.queuePairs = queuePairs;
        for (int lane = 0; lane < queuePairs.length; lane++) {
            for (int i = 0; i < queuePairs[lane].attributes().receiveDepth(); i++) {
                postReceive(lane);
            }
        }
    }

    /** What names a receive of this rank and lane among completions. */
    private static long receiveId(int peer, int lane) {
        return Long.MIN_VALUE | ((long) peer << RANK_SHIFT) | ((long) lane << LANE_SHIFT);
    }

    static boolean isReceive(long wrId) {
        return wrId < 0;
    }

    static int peerOf(long receiveId) {
        return (int) ((receiveId & Long.MAX_VALUE) >>> RANK_SHIFT);
    }

    static int laneOf(long receiveId) {
        return (int) receiveId >>> LANE_SHIFT;
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
