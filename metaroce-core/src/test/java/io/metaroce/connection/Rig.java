package io.metaroce.connection;

import io.metaroce.datagram.Address;
import io.metaroce.datagram.Datagram;
import io.metaroce.datagram.Ecn;
import io.metaroce.datagram.Transmit;
import io.metaroce.num.SplitMix64;
import io.metaroce.param.EndpointConfig;
import io.metaroce.param.FirstNumbers;
import io.metaroce.param.Profiles;
import io.metaroce.param.Reception;
import io.metaroce.path.Path;
import io.metaroce.path.ReceivePasses;
import io.metaroce.path.SlotSlab;
import io.metaroce.path.Tail;
import io.metaroce.rate.CongestionControl;
import io.metaroce.rate.FairShare;
import io.metaroce.trace.Counters;
import io.metaroce.trace.TransportEvents;
import io.metaroce.wire.ConnectParameters;
import io.metaroce.wire.Crc32cTrailer;
import io.metaroce.wire.PacketView;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The parts of one side of a connection, without an engine around them: paths, windows, reports, and streams that do
 * what a test says. Two of them with swapped numbers talk to each other.
 */
final class Rig {
    static final long RTT_NS = 8_000;
    private static final int A = 0xA;
    private static final int B = 0xB;

    final EndpointConfig config;
    final SlotSlab slab;
    final Agreement agreement;
    final PathSet paths;
    final CongestionControl congestion;
    final FakeStreams streams = new FakeStreams();
    final Counters counters = new Counters();
    private final ReceivePasses passes = new ReceivePasses(Reception.USUAL);
    final Seal seal = new Seal(new Crc32cTrailer(), counters);
    final Scratch scratch;
    final ProbeAnswers answers = new ProbeAnswers();
    final Reporting reporting;
    final AckWriter writer;
    final AckReader reader;
    final List<Integer> cleanPaths = new ArrayList<>();
    final List<Long> echoes = new ArrayList<>();
    int planesTold;
    final Transmit out = new Transmit();
    private final PacketView view = new PacketView();

    private Rig(EndpointConfig config, Agreement agreement) {
        this.config = config;
        this.agreement = agreement;
        scratch = new Scratch(config);
        slab = new SlotSlab(config.limits().slots());
        paths = new PathSet(
                agreement, config.path(), 254, config.limits().sourcePorts(), slab, new SplitMix64(5), passes);
        congestion = new CongestionControl(config.rate(), paths.count(), agreement.payloadBytes());
        congestion.planes(agreement.planes().count());
        congestion.startWith(agreement.handshakeRttNs(), 0xFFFF_FFFFL);
        for (int i = 0; i < paths.count(); i++) {
            congestion.activate(i);
        }
        reporting = new Reporting(agreement, paths, seal, counters);
        writer = new AckWriter(paths, streams.ports(), reporting, answers, scratch);
        reader = new AckReader(
                paths,
                streams.ports(),
                congestion,
                new Clean(),
                slab,
                scratch.signal,
                agreement,
                new Told(),
                counters,
                TransportEvents.NONE);
    }

    /** The side that opens slots in most tests. */
    static Rig a(int paths, int planes) {
        return a(Profiles.model(), paths, planes);
    }

    /** The same with other settings. */
    static Rig a(EndpointConfig config, int paths, int planes) {
        return new Rig(config, agreement(A, B, paths, planes));
    }

    /** The side that receives them. */
    static Rig b(int paths, int planes) {
        return new Rig(Profiles.model(), agreement(B, A, paths, planes));
    }

    /** The same with other settings. */
    static Rig b(EndpointConfig config, int paths, int planes) {
        return new Rig(config, agreement(B, A, paths, planes));
    }

    private static Agreement agreement(int own, int other, int paths, int planes) {
        return new Agreement(
                own,
                other,
                CommonPlanes.of(planes, new ConnectParameters().planes(addresses(other, planes))),
                4096,
                paths,
                4,
                100 + other,
                100 + own,
                -3 * own,
                -3 * other,
                RTT_NS,
                RTT_NS,
                256,
                1_000,
                new byte[ConnectParameters.TOKEN_LENGTH]);
    }

    private static List<ConnectParameters.PlaneAddress> addresses(int node, int planes) {
        List<ConnectParameters.PlaneAddress> addresses = new ArrayList<>();
        for (int plane = 0; plane < planes; plane++) {
            Address address = Address.ipv4(0x0A000000 + (plane << 16) + node, 49741);
            addresses.add(new ConnectParameters.PlaneAddress(plane, address));
        }
        return addresses;
    }

    /** What looks after the paths of this side, and tells {@code events}. */
    PathKeeping keeping(TransportEvents events) {
        int provenPlanes = agreement.planes().bits();
        return new PathKeeping(0, shared(events), agreement, paths, congestion, provenPlanes, () -> {});
    }

    /** What an endpoint lends to its connections. */
    Shared shared(TransportEvents events) {
        FairShare fairShare = new FairShare(config.rate());
        return new Shared(
                config,
                addresses(agreement.localId(), agreement.planes().width()).stream()
                        .map(ConnectParameters.PlaneAddress::address)
                        .toList(),
                slab,
                fairShare,
                new PlaneTable(
                        agreement.planes().width(),
                        config.plane(),
                        fairShare,
                        config.rate().inboundBytesPerSecond()),
                seal,
                scratch,
                new SplitMix64(7),
                counters,
                events,
                FirstNumbers.USUAL,
                passes,
                new Pauses());
    }

    /** Opens a slot and takes it for sent; answers with its number. */
    int send(long nowNs, int pathId) {
        Path path = paths.outbound(pathId);
        int slot = path.open();
        int stamp = path.takeStamp(nowNs);
        path.sent(nowNs, slot, stamp, 1000, 1_000, Tail.LAST);
        congestion.onSent(nowNs, pathId, 1000);
        return slot;
    }

    /** Another side receives slot {@code index} of a path as it was sent last. */
    void receive(long nowNs, Rig from, int pathId, int index, int stamp) {
        paths.inbound(pathId).onSlot(from.agreement.firstSendPsn(pathId) + index);
        paths.inbound(pathId).onStamp(nowNs, stamp, from.paths.outbound(pathId).epoch(), false);
    }

    /** What was written last, as its receiver sees it. */
    PacketView written() {
        return parsed(out, view);
    }

    /** Lays a view over a copy of a packet that was written. */
    static PacketView parsed(Transmit out, PacketView view) {
        ByteBuffer bytes = ByteBuffer.allocateDirect(out.length());
        out.copyTo(bytes, 0);
        Address source = Address.ipv4(1, 1);
        Datagram datagram = new Datagram().set(bytes, 0, bytes.capacity(), 0, Ecn.ECT_0, () -> source);
        if (view.open(datagram) != null || view.parse() != null) {
            throw new AssertionError("what was written cannot be read");
        }
        return view;
    }

    /** Remembers what was said of planes and challenges. */
    private final class Told implements ReportTold {
        @Override
        public void onPlanes(long nowNs, int planeUp) {
            planesTold = planeUp;
        }

        @Override
        public void onEcho(long nowNs, long challenge) {
            echoes.add(challenge);
        }
    }

    /** Remembers which paths returned clean acknowledgements. */
    private final class Clean implements PathScheduler {
        @Override
        public int select(long nowNs, int costBytes, int planesWithRoom) {
            return NONE;
        }

        @Override
        public void taken(int path, int costBytes) {}

        @Override
        public void onClean(int path) {
            cleanPaths.add(path);
        }
    }
}
