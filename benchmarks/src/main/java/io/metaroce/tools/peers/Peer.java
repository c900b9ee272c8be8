package io.metaroce.tools.peers;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.HdrHistogram.Histogram;

/** One way to move bytes between two processes, in both roles. */
public interface Peer {
    /** Bytes of a small message. */
    int SMALL_BYTES = 64;

    /** One word. */
    String name();

    /** What it is and how it is set, in a few words. */
    String about();

    /** Whether what gets lost is sent again. */
    default boolean repairs() {
        return true;
    }

    /** What the Java runtime has to be told for it. */
    default List<String> javaOptions() {
        return List.of();
    }

    /** Begins to receive at {@code host}, on a free port. */
    Receiver serve(String host) throws IOException;

    /** Connects from {@code host} to where a receiver listens. */
    Sender connect(String host, String remote) throws IOException;

    /** The side that counts and answers. */
    interface Receiver extends AutoCloseable {
        /** Where to connect to, as {@code host:port}, with whatever else the sender has to know behind it. */
        String address();

        /** Payload that has arrived and will not get lost any more, in bytes. */
        long bytes();

        @Override
        void close();
    }

    /** The side that drives. Each call returns when everything has arrived that can. */
    interface Sender extends AutoCloseable {
        /** Sends as many bytes as it can for so long. */
        void bulk(Duration time) throws IOException;

        /** Sends as many messages of {@link #SMALL_BYTES} as it can for so long. */
        void small(Duration time) throws IOException;

        /** Half round trips of messages of {@link #SMALL_BYTES}, one after the other, in ns. */
        Histogram pingPong(Duration time) throws IOException;

        @Override
        void close();
    }
}
