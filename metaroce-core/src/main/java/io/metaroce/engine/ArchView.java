package io.metaroce.engine;

import io.metaroce.connection.Connection;
import io.metaroce.message.StreamState;
import io.metaroce.path.InboundPath;
import io.metaroce.path.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What two implementations agree on about a connection when nothing is under way: what has come and what was answered,
 * not how. For models.
 *
 * @param state ESTABLISHED, …
 * @param inbound paths the peer has sent on
 * @param outbound paths this side sends on
 * @param streams streams bound here, in the order of binding
 */
@SuppressWarnings("exports") // the state of a stream is visible to those who compare it
public record ArchView(String state, List<Inbound> inbound, List<Outbound> outbound, List<StreamState> streams) {
    /**
     * A path the peer sends on.
     *
     * @param id its number
     * @param cumPsn first PSN still owed
     * @param epoch that came with the highest stamp
     * @param bitmap what has come beyond, 64 PSNs a word from {@code cumPsn} on, no zeros at the end
     */
    public record Inbound(int id, int cumPsn, int epoch, List<Long> bitmap) {
        static Inbound of(InboundPath path) {
            List<Long> bitmap = new ArrayList<>();
            for (int i = 0; i < path.bitmapWords(); i++) {
                bitmap.add(path.bitmapWord(i));
            }
            return new Inbound(path.id(), path.cumPsn(), path.epoch(), List.copyOf(bitmap));
        }
    }

    /**
     * A path this side sends on.
     *
     * @param id its number
     * @param nextPsn PSN of the next new slot
     * @param unacked slots that are not acknowledged
     * @param epoch route changes so far, modulo 256
     */
    public record Outbound(int id, int nextPsn, int unacked, int epoch) {
        static Outbound of(Path path) {
            return new Outbound(path.id(), path.nextPsn(), path.unacked(), path.epoch());
        }
    }

    /** A connection as it stands, or null when there is none of this number. */
    public static @Nullable ArchView of(Endpoint endpoint, int connectionId) {
        Peering peering = endpoint.peering(connectionId);
        if (peering == null) {
            return null;
        }
        Connection connection = peering.connection();
        List<Inbound> inbound = new ArrayList<>();
        for (int i = 0; i < connection.inboundWidth(); i++) {
            InboundPath path = connection.inbound(i);
            if (path != null) {
                inbound.add(Inbound.of(path));
            }
        }
        List<Outbound> outbound = new ArrayList<>();
        for (int i = 0; i < connection.pathCount(); i++) {
            outbound.add(Outbound.of(connection.path(i)));
        }
        return new ArchView(
                connection.state().name(),
                List.copyOf(inbound),
                List.copyOf(outbound),
                List.copyOf(peering.streams().states()));
    }
}
