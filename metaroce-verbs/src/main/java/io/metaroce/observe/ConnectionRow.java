package io.metaroce.observe;

import io.metaroce.engine.ConnectionView;
import java.util.Locale;

/**
 * A connection in JMX.
 *
 * @param connection its number here, eight hexadecimal digits
 * @param state ESTABLISHED, …
 * @param windowBytes congestion window
 * @param inFlightBytes bytes in flight, as the window counts them
 * @param hintBytesPerSecond rate the peer grants
 * @param pacedBytesPerSecond rate at which packets may leave
 * @param payloadBytes payload of a full packet
 */
public record ConnectionRow(
        String connection,
        String state,
        long windowBytes,
        long inFlightBytes,
        long hintBytesPerSecond,
        long pacedBytesPerSecond,
        int payloadBytes) {
    static ConnectionRow of(ConnectionView view) {
        return new ConnectionRow(
                name(view.id()),
                view.state(),
                view.windowBytes(),
                view.inFlightBytes(),
                view.hintBytesPerSecond(),
                view.pacedBytesPerSecond(),
                view.payloadBytes());
    }

    /** How a connection is named, as in the log. */
    static String name(int id) {
        return String.format(Locale.ROOT, "%08x", id);
    }
}
