package io.metaroce.message;

import io.metaroce.connection.ConnectionPort;
import io.metaroce.num.Bits;
import io.metaroce.num.Deadline;
import io.metaroce.param.FirstNumbers;
import io.metaroce.trace.TransportEvents;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The streams of one connection by id, what they share, and what the peer has announced of streams that are not bound
 * here yet. The columns are as wide as the highest id met so far asks for.
 */
final class Streams {
    private static final int PLACES_AT_FIRST = 1;

    // What they share.
    final StreamTerms terms;
    final ConnectionPort port;
    final TransportEvents events;
    final SendBudget budget = new SendBudget();
    final OrderedBudget ordered = new OrderedBudget();
    final AwaitedResponses awaited;
    final ReadDemand demand;
    final ReadyStreams ready;
    final News news;
    /** Ordered Writes of the peer; null unless both sides have agreed on them. */
    @Nullable
    OrderedStash stash;
    /** Requests of the peer; null before the first one. */
    @Nullable
    AnswerQueue answers;

    /** The stream of which a message was delivered last, until the report that says so is read. */
    @Nullable
    Stream delivered;

    long timersNs = Deadline.NEVER; // not after the earliest timer of all streams

    private final int idsMax; // ids are below it
    private final int firstRsn;
    private @Nullable Stream[] byId;
    private Stream[] inOrder;
    private @Nullable Announcements announced; // most streams are bound when the peer speaks of them
    private @Bits(16) int count;

    /** No streams yet. */
    Streams(StreamTerms terms, ConnectionPort port, TransportEvents events, FirstNumbers first) {
        this.terms = terms;
        this.port = port;
        this.events = events;
        budget.limit(terms.own.openMessages());
        awaited = new AwaitedResponses(terms.own.requests(), first.tag());
        demand = new ReadDemand(terms, port);
        ready = new ReadyStreams(port);
        news = new News(this);
        idsMax = terms.own.streams();
        firstRsn = first.rsn();
        byId = new Stream[PLACES_AT_FIRST];
        inOrder = new Stream[PLACES_AT_FIRST];
    }

    /** Where requests of the peer wait for their turn and their answer. */
    AnswerQueue answers() {
        AnswerQueue queue = answers;
        if (queue == null) {
            queue = new AnswerQueue(terms.own.streams(), terms.own.requests(), budget, port);
            answers = queue;
        }
        return queue;
    }

    /** The stream with this id, or null when no queue pair was ever bound to it. */
    @Nullable
    Stream find(int id) {
        return id >= 0 && id < byId.length ? byId[id] : null;
    }

    /** Adds a stream; takes over what the peer has announced of it. */
    void add(Stream stream) {
        makeRoom(stream.id);
        assert byId[stream.id] == null : "stream " + stream.id + " is bound already";
        byId[stream.id] = stream;
        inOrder[count] = stream;
        count++;
        if (announced != null) {
            stream.credits.raise(announced.limit(stream.id));
            if (announced.isOpen(stream.id)) {
                stream.credits.announce();
            }
        }
    }

    /** The peer says that a stream is open there that is not bound here. */
    void announced(int id) {
        if (id >= 0 && id < idsMax) {
            announcements().open(id);
        }
    }

    /** The peer has posted receives on a stream that is not bound here. */
    void raised(int id, int limit) {
        if (id >= 0 && id < idsMax) {
            announcements().raise(id, limit);
        }
    }

    private Announcements announcements() {
        Announcements heard = announced;
        if (heard == null) {
            heard = new Announcements(idsMax, firstRsn);
            announced = heard;
        }
        return heard;
    }

    private void makeRoom(int id) {
        if (id >= byId.length) {
            int places = Math.min(Integer.highestOneBit(id) * 2, idsMax);
            byId = Arrays.copyOf(byId, places);
            inOrder = Arrays.copyOf(inOrder, places);
        }
    }

    /** Has every stream look whether it can go on. */
    void wakeAll() {
        for (int i = 0; i < count(); i++) {
            Stream stream = at(i);
            if (stream.sends.started() != stream.sends.fetched()) {
                ready.wake(stream);
            }
        }
    }

    /** Streams bound, failed ones included. */
    int count() {
        return count;
    }

    /** Stream number {@code i} in the order of binding. */
    Stream at(int i) {
        return inOrder[i];
    }
}
