package io.metaroce.message;

import io.metaroce.connection.ConnectionPort;
import io.metaroce.num.Bits;
import org.jspecify.annotations.Nullable;

/**
 * The streams that may have something to send, served in turn: each gets a burst of packets, or as many as its weight
 * says, then the next one, so none starves. A stream with nothing to send leaves, and comes back when something has
 * changed for it.
 */
final class ReadyStreams {
    /** Packets of one stream in a row while others wait. */
    static final int BURST_PACKETS = 8;

    private final StreamQueue queue = new StreamQueue(StreamQueue.Kind.READY);
    private final ConnectionPort port;
    private @Bits(8) int burst;

    ReadyStreams(ConnectionPort port) {
        this.port = port;
    }

    /** Something has changed for the stream: it may have something to send. */
    void wake(Stream stream) {
        if (!stream.isFailed()) {
            queue.add(stream);
            port.sendWanted();
        }
    }

    /** The stream whose turn it is, or null. */
    @Nullable
    Stream first() {
        return queue.first();
    }

    /** The stream whose turn it is has nothing to send. */
    void removeFirst() {
        queue.removeFirst();
        burst = 0;
    }

    /** The stream whose turn it is has sent a packet. */
    void sent() {
        burst++;
        Stream sender = queue.first();
        if (sender == null || burst >= BURST_PACKETS * sender.weight) {
            burst = 0;
            queue.rotate();
        }
    }
}
