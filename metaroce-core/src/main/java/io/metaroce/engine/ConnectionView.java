package io.metaroce.engine;

import io.metaroce.connection.Connection;
import java.util.ArrayList;
import java.util.List;

/**
 * One connection at one instant, for people and tools.
 *
 * @param id local number
 * @param state ESTABLISHED, …
 * @param windowBytes congestion window of the connection
 * @param inFlightBytes bytes in flight, as the window counts them
 * @param hintBytesPerSecond rate the peer grants
 * @param paths the paths this side sends on
 */
public record ConnectionView(
        int id, String state, long windowBytes, long inFlightBytes, long hintBytesPerSecond, List<PathView> paths) {
    static ConnectionView of(Connection connection) {
        List<PathView> paths = new ArrayList<>();
        if (connection.pathCount() == 0) {
            return new ConnectionView(connection.localId(), connection.state().name(), 0, 0, 0, paths);
        }
        for (int i = 0; i < connection.pathCount(); i++) {
            paths.add(PathView.of(connection.path(i), connection.congestion()));
        }
        return new ConnectionView(
                connection.localId(),
                connection.state().name(),
                connection.congestion().windowBytes(),
                connection.congestion().inFlightBytes(),
                connection.congestion().hintBytesPerSecond(),
                List.copyOf(paths));
    }
}
