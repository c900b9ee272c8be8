package io.metaroce.compliance.adapter.model;

import io.metaroce.engine.StreamBinding;
import io.metaroce.queue.CompletionSink;
import io.metaroce.queue.DoorbellQueue;
import io.metaroce.queue.ReceiveRing;
import io.metaroce.queue.SendRing;
import io.metaroce.queue.Signalling;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/** The queue pairs of a model, by connection and stream. */
final class QueuePairs {
    private static final int DEPTH = 512;
    private static final int DOMAIN = 0;

    private final DoorbellQueue doorbells;
    private final List<Pair> all = new ArrayList<>();
    private final Map<Integer, List<Pair>> ofConnection = new TreeMap<>();

    QueuePairs(DoorbellQueue doorbells) {
        this.doorbells = doorbells;
    }

    /** One queue pair; its number counts from 0. */
    static final class Pair {
        private final int stream;
        private final SendRing sends;
        private final ReceiveRing receives;
        private int connection;

        private Pair(int stream, SendRing sends, ReceiveRing receives) {
            this.stream = stream;
            this.sends = sends;
            this.receives = receives;
        }

        SendRing sends() {
            return sends;
        }

        ReceiveRing receives() {
            return receives;
        }

        int stream() {
            return stream;
        }
    }

    /** Queue pairs for these streams, to be given to a connection that has no number yet. */
    List<Pair> make(List<Integer> streams, CompletionSink sink) {
        List<Pair> made = new ArrayList<>();
        for (int stream : streams) {
            int number = all.size();
            Pair pair = new Pair(
                    stream,
                    new SendRing(DEPTH, 1, 0, number, sink, sink.attach(), Signalling.ALL, doorbells),
                    new ReceiveRing(DEPTH, 1, number, sink, sink.attach(), doorbells));
            all.add(pair);
            made.add(pair);
        }
        return made;
    }

    /** How they are bound. */
    static List<StreamBinding> bindings(List<Pair> pairs, JsonNode arguments) {
        int retries =
                (int) Arguments.number(arguments, "rnr_retries", 0, StreamBinding.FOR_EVER, StreamBinding.FOR_EVER);
        long delayNs = 1000 * Arguments.number(arguments, "rnr_delay_us", 0, 655_350, 1000);
        List<StreamBinding> bindings = new ArrayList<>();
        for (Pair pair : pairs) {
            bindings.add(new StreamBinding(pair.stream, DOMAIN, pair.sends, pair.receives, retries, delayNs));
        }
        return bindings;
    }

    /** They belong to this connection. */
    void bind(List<Pair> pairs, int connection) {
        pairs.forEach(pair -> pair.connection = connection);
        ofConnection.put(connection, pairs);
    }

    /** The connection is gone: what nobody uses any more gives its doorbells back. */
    void unbind(int connection) {
        List<Pair> gone = ofConnection.remove(connection);
        if (gone != null) {
            retire(gone);
        }
    }

    /** They will belong to nobody. */
    void retire(List<Pair> pairs) {
        pairs.forEach(pair -> {
            pair.sends.retire();
            pair.receives.retire();
        });
    }

    /** The queue pair that a command names. */
    Pair find(JsonNode arguments) {
        int connection = connectionOf(arguments);
        int stream = (int) Arguments.number(arguments, "stream", 0, 0xFFFF, 0);
        for (Pair pair : ofConnection.getOrDefault(connection, List.of())) {
            if (pair.stream == stream) {
                return pair;
            }
        }
        throw new Refused("E_STATE", "connection " + Integer.toUnsignedLong(connection) + " has no stream " + stream);
    }

    /** The number of the connection that a command names. */
    static int connectionOf(JsonNode arguments) {
        return Arguments.bits32(arguments, "conn", 0);
    }

    /** The connection of a queue pair, 0 while it has none. */
    int connection(int number) {
        return all.get(number).connection;
    }

    /** The stream of a queue pair. */
    int stream(int number) {
        return all.get(number).stream;
    }
}
