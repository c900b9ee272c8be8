package io.metaroce.engine;

import io.metaroce.connection.Connection;
import io.metaroce.rate.CongestionControl;
import java.util.ArrayList;
import java.util.List;

/**
 * One connection at one instant, for people and tools.
 *
 * @param id local number
 * @param peerId the peer's number; 0 before it is known
 * @param state ESTABLISHED, …
 * @param windowBytes congestion window of the connection
 * @param inFlightBytes bytes in flight, as the window counts them
 * @param hintBytesPerSecond rate the peer grants
 * @param pacedBytesPerSecond rate at which packets may leave
 * @param isSteeredByDelay whether delay and loss steer the windows, because no marks come
 * @param payloadBytes payload of the packets that new messages are cut into
 * @param paths the paths this side sends on
 */
public record ConnectionView(
        int id,
        int peerId,
        String state,
        long windowBytes,
        long inFlightBytes,
        long hintBytesPerSecond,
        long pacedBytesPerSecond,
        boolean isSteeredByDelay,
        int payloadBytes,
        List<PathView> paths) {
    static ConnectionView of(Connection connection) {
        List<PathView> paths = new ArrayList<>();
        if (connection.pathCount() == 0) {
            return new ConnectionView(
                    connection.localId(), 0, connection.state().name(), 0, 0, 0, 0, false, 0, paths);
        }
        CongestionControl congestion = connection.congestion();
        for (int i = 0; i < connection.pathCount(); i++) {
            paths.add(PathView.of(connection.path(i), congestion));
        }
        return new ConnectionView(
                connection.localId(),
                connection.peerId(),
                connection.state().name(),
                congestion.windowBytes(),
                congestion.inFlightBytes(),
                congestion.hintBytesPerSecond(),
                congestion.rateBytesPerSecond(),
                congestion.isSteeredByDelay(),
                connection.payloadBytes(),
                List.copyOf(paths));
    }
}
