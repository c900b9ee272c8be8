package io.metaroce.verbs;

import io.metaroce.param.CloseReason;

/** Something that happened without being asked for. */
public sealed interface AsyncEvent {
    /** The kinds, for a switch. */
    enum Kind {
        /** {@link QueuePairFatal}. */
        QP_FATAL,
        /** {@link ConnectionLost}. */
        CONNECTION_LOST,
        /** {@link Disconnected}. */
        DISCONNECTED,
        /** {@link PathDown}. */
        PATH_DOWN,
        /** {@link PathUp}. */
        PATH_UP,
        /** {@link SharedReceivesLow}. */
        SRQ_LIMIT_REACHED,
        /** {@link EventsLost}. */
        EVENTS_LOST
    }

    /** Which kind it is. */
    Kind kind();

    /** One sentence for people. */
    String sentence();

    /**
     * A queue pair failed and is in {@link QpState#ERR}; what was posted on it is flushed. Others go on.
     *
     * @param queuePair which
     * @param detail the cause with its numbers
     */
    record QueuePairFatal(QueuePair queuePair, String detail) implements AsyncEvent {
        @Override
        public Kind kind() {
            return Kind.QP_FATAL;
        }

        @Override
        public String sentence() {
            return queuePair + " failed: " + detail;
        }
    }

    /**
     * A connection broke, with all its queue pairs.
     *
     * @param connection which
     * @param reason why
     * @param detail the cause with its numbers
     */
    record ConnectionLost(Connection connection, CloseReason reason, String detail) implements AsyncEvent {
        @Override
        public Kind kind() {
            return Kind.CONNECTION_LOST;
        }

        @Override
        public String sentence() {
            return connection + " is lost: " + Texts.of(reason, detail);
        }
    }

    /**
     * The peer closed a connection gracefully; its queue pairs are in {@link QpState#ERR}.
     *
     * @param connection which
     */
    record Disconnected(Connection connection) implements AsyncEvent {
        @Override
        public Kind kind() {
            return Kind.DISCONNECTED;
        }

        @Override
        public String sentence() {
            return connection + " was closed by the peer";
        }
    }

    /**
     * A path lost its route: nothing arrives on it while others deliver. It borrows the route of another path, or waits
     * if no other is left; no work request fails for it.
     *
     * @param connection which
     * @param path number of the path, as in {@link Connection#paths}
     */
    record PathDown(Connection connection, int path) implements AsyncEvent {
        @Override
        public Kind kind() {
            return Kind.PATH_DOWN;
        }

        @Override
        public String sentence() {
            return "path " + path + " of " + connection + " lost its route; others carry its packets";
        }
    }

    /**
     * A path that was down has a route of its own again.
     *
     * @param connection which
     * @param path number of the path
     */
    record PathUp(Connection connection, int path) implements AsyncEvent {
        @Override
        public Kind kind() {
            return Kind.PATH_UP;
        }

        @Override
        public String sentence() {
            return "path " + path + " of " + connection + " has a route of its own again";
        }
    }

    /**
     * Few receives are left in a shared receive queue: post more, and arm it again.
     *
     * @param queue which
     * @param limit fewer than this are left
     */
    record SharedReceivesLow(SharedReceiveQueue queue, int limit) implements AsyncEvent {
        @Override
        public Kind kind() {
            return Kind.SRQ_LIMIT_REACHED;
        }

        @Override
        public String sentence() {
            return queue + " has fewer than " + limit + " receives left";
        }
    }

    /**
     * Nobody fetched the events, and the oldest were thrown away.
     *
     * @param count how many
     */
    record EventsLost(long count) implements AsyncEvent {
        @Override
        public Kind kind() {
            return Kind.EVENTS_LOST;
        }

        @Override
        public String sentence() {
            return count + " events were lost: nobody called Device.nextEvent in time";
        }
    }
}
