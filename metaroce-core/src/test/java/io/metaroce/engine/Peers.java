package io.metaroce.engine;

import io.metaroce.connection.Agreement;
import io.metaroce.connection.Connection;
import io.metaroce.connection.ConnectionOwner;
import io.metaroce.connection.HandshakePackets;
import io.metaroce.connection.Pauses;
import io.metaroce.connection.PlaneTable;
import io.metaroce.connection.Scratch;
import io.metaroce.connection.Seal;
import io.metaroce.connection.Shared;
import io.metaroce.datagram.Address;
import io.metaroce.num.SplitMix64;
import io.metaroce.param.CloseReason;
import io.metaroce.param.EndpointConfig;
import io.metaroce.param.EndpointLimits;
import io.metaroce.param.FirstNumbers;
import io.metaroce.param.Profiles;
import io.metaroce.param.Reception;
import io.metaroce.path.ReceivePasses;
import io.metaroce.path.SlotSlab;
import io.metaroce.rate.FairShare;
import io.metaroce.trace.Counters;
import io.metaroce.trace.TransportEvents;
import io.metaroce.wire.ConnectParameters;
import io.metaroce.wire.Crc32cTrailer;
import java.util.ArrayList;
import java.util.List;

/** Connections that do nothing, with numbers of one's choice, for what only sorts and finds them. */
final class Peers {
    private static final Address NOWHERE = Address.ipv4(1, 1);
    private static final EndpointConfig CONFIG = Profiles.model().withLimits(new EndpointLimits(16, 256, 16, 16, 16));

    private Peers() {}

    /** One for each number. */
    static List<Peering> of(List<Integer> numbers) {
        Counters counters = new Counters();
        Seal seal = new Seal(new Crc32cTrailer(), counters);
        Shared shared = new Shared(
                CONFIG,
                List.of(NOWHERE),
                new SlotSlab(16),
                new FairShare(CONFIG.rate()),
                new PlaneTable(1, CONFIG.plane(), new FairShare(CONFIG.rate()), 1),
                seal,
                new Scratch(CONFIG),
                new SplitMix64(1),
                counters,
                TransportEvents.NONE,
                FirstNumbers.USUAL,
                new ReceivePasses(Reception.USUAL),
                new Pauses());
        EndpointMemory memory = new EndpointMemory(CONFIG, counters);
        HandshakePackets packets = new HandshakePackets(seal);
        List<Peering> peers = new ArrayList<>();
        for (int number : numbers) {
            Peering peering = new Peering(shared, memory, new TransportMemory(CONFIG), new ConnectionListener() {});
            peering.attach(Connection.initiate(0, shared, new Nobody(), peering, packets, number, NOWHERE, 0));
            peers.add(peering);
        }
        return peers;
    }

    /** Forgets where it stood. */
    static void reset(Peering peering) {
        peering.ticket = DeadlineHeap.ABSENT;
    }

    private static final class Nobody implements ConnectionOwner {
        @Override
        public void changed(Connection connection) {}

        @Override
        public void agreed(long nowNs, Connection connection, Agreement agreement, ConnectParameters peer) {}

        @Override
        public void established(long nowNs, Connection connection, byte[] privateData) {}

        @Override
        public void routeMoved(long nowNs, Connection connection, int path, boolean isOwn) {}

        @Override
        public void gone(long nowNs, Connection connection, CloseReason reason, String detail, byte[] privateData) {}

        @Override
        public void forget(Connection connection) {}
    }
}
