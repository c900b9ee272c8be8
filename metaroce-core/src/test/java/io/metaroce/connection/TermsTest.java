package io.metaroce.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaroce.Covers;
import io.metaroce.datagram.Address;
import io.metaroce.num.SplitMix64;
import io.metaroce.param.EndpointConfig;
import io.metaroce.param.FirstNumbers;
import io.metaroce.param.Profiles;
import io.metaroce.param.Reception;
import io.metaroce.path.ReceivePasses;
import io.metaroce.path.SlotSlab;
import io.metaroce.rate.FairShare;
import io.metaroce.trace.Counters;
import io.metaroce.trace.TransportEvents;
import io.metaroce.wire.ConnectParameters;
import io.metaroce.wire.ConnectParameters.PlaneAddress;
import io.metaroce.wire.ConnectReject;
import io.metaroce.wire.Crc32cTrailer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TermsTest {
    private static final int OWN = 0x111;
    private static final int PEER = 0x222;

    @Test
    void whatIsSaidFollowsFromTheSettings() {
        EndpointConfig config = Profiles.model();
        ConnectParameters said = terms(config, 2).parameters();
        assertThat(said.planes()).hasSize(2);
        assertThat(said.maxPayload()).isEqualTo(config.connection().payloadBytes());
        assertThat(said.ackEvery()).isEqualTo(config.ack().everyPackets());
        assertThat(said.ackKib()).isEqualTo(config.ack().everyBytes() / 1024);
        assertThat(said.maxAckDelayNs()).isEqualTo(config.ack().delayMaxNs());
        assertThat(said.capacityMbit()).isEqualTo(400_000);
        assertThat(said.keepaliveMs()).isEqualTo(10_000);
    }

    @Test
    @Covers("R-CC-015")
    void whoReadsNoMarksSaysSo() {
        assertThat(terms(Profiles.model(), 1).parameters().ecnMode()).isEqualTo(ConnectParameters.ECN_IP);
        assertThat(terms(Profiles.udp(), 1).parameters().ecnMode()).isEqualTo(ConnectParameters.ECN_NONE);
    }

    @Test
    void seedsAndTokensDifferFromConnectionToConnection() {
        Shared shared = shared(Profiles.model(), 1);
        ConnectParameters one = new Terms(shared, 1).parameters();
        ConnectParameters two = new Terms(shared, 2).parameters();
        assertThat(one.crcSeed()).isNotEqualTo(two.crcSeed());
        assertThat(one.psnSeed()).isNotEqualTo(two.psnSeed());
        assertThat(one.resetToken()).isNotEqualTo(two.resetToken());
    }

    @Test
    @Covers("R-CONN-004")
    void aMismatchIsRefusedWithItsReason() {
        assertThat(Terms.fault(Profiles.model(), peer(1))).isZero();
        assertThat(Terms.fault(Profiles.model(), peer(1).integrity(1))).isEqualTo(ConnectReject.INTEGRITY);
        assertThat(Terms.fault(Profiles.model(), peer(1).integrity(7))).isZero();
        assertThat(Terms.fault(Profiles.model(), peer(1).featuresRequired(2))).isEqualTo(ConnectReject.FEATURE);
        assertThat(Terms.fault(Profiles.model(), peer(1).featuresSupported(0xFF)))
                .isZero();
        assertThat(Terms.fault(Profiles.model(), peer(0))).isEqualTo(ConnectReject.PARAMETER);
    }

    @Test
    @Covers("R-CONN-008")
    void theSmallerWishRules() {
        Terms terms = terms(Profiles.model(), 1);
        ConnectParameters peer = peer(1).maxPayload(1024).maxPaths(3);
        terms.choose(peer);
        assertThat(terms.parameters().maxPayload()).isEqualTo(1024);
        Agreement agreement = terms.agree(OWN, PEER, peer, 5_000, 6_000);
        assertThat(agreement.payloadBytes()).isEqualTo(1024);
        assertThat(agreement.paths()).isEqualTo(3);
        Terms large = terms(Profiles.model(), 1);
        large.choose(peer(1).maxPayload(8192));
        assertThat(large.parameters().maxPayload()).isEqualTo(4096);
        assertThat(large.agree(OWN, PEER, peer(1).maxPayload(8192).maxPaths(254), 5_000, 6_000)
                        .paths())
                .isEqualTo(Profiles.model().path().paths());
    }

    @Test
    void eachSideSendsWithTheSeedsOfTheOther() {
        Terms terms = terms(Profiles.model(), 1);
        Agreement agreement = terms.agree(OWN, PEER, peer(1).crcSeed(5).psnSeed(6), 0, 0);
        assertThat(agreement.sendSeed()).isEqualTo(5);
        assertThat(agreement.receivePsnSeed()).isEqualTo(6);
        assertThat(agreement.receiveSeed()).isEqualTo(terms.parameters().crcSeed());
        assertThat(agreement.sendPsnSeed()).isEqualTo(terms.parameters().psnSeed());
        assertThat(agreement.handshakeRttNs()).isPositive(); // even when the clock stood still
        assertThat(agreement.localId()).isEqualTo(OWN);
        assertThat(agreement.peerId()).isEqualTo(PEER);
    }

    @Test
    @Covers({"R-HDR-010", "R-PLANE-008"})
    void planesThatOneSideDoesNotHaveAreNotUsed() {
        assertThat(terms(Profiles.model(), 1)
                        .agree(OWN, PEER, peer(16), 1, 1)
                        .planes()
                        .bits())
                .isEqualTo(0b1);
        assertThat(terms(Profiles.model(), 4)
                        .agree(OWN, PEER, peer(2), 1, 1)
                        .planes()
                        .bits())
                .isEqualTo(0b11);
    }

    @Test
    @Covers({"R-HDR-010", "R-PLANE-008"})
    void planesGoByTheirNumberAndNotByTheirPlaceInTheList() {
        List<PlaneAddress> planes = List.of(plane(1), plane(0));
        Agreement agreement = terms(Profiles.model(), 2).agree(OWN, PEER, peer(0).planes(planes), 1, 1);
        assertThat(agreement.planes().get(0)).isEqualTo(plane(0).address());
        assertThat(agreement.planes().get(1)).isEqualTo(plane(1).address());
        assertThat(Terms.fault(Profiles.model(), peer(0).planes(List.of(plane(1)))))
                .isEqualTo(ConnectReject.PARAMETER);
    }

    @Test
    @Covers({"R-HDR-010", "R-PLANE-008"})
    void aNumberThatIsMissingEndsNothing() {
        ConnectParameters holes = peer(0).planes(List.of(plane(9), plane(2), plane(0), plane(5)));
        CommonPlanes three =
                terms(Profiles.model(), 3).agree(OWN, PEER, holes, 1, 1).planes();
        assertThat(three.bits()).isEqualTo(0b101);
        assertThat(three.count()).isEqualTo(2);
        assertThat(three.width()).isEqualTo(3);
        assertThat(three.get(2)).isEqualTo(plane(2).address());
        assertThatThrownBy(() -> three.get(1)).hasMessage("plane 1: both sides have 0x5");
        assertThat(List.of(three.inTurn(0), three.inTurn(1), three.inTurn(2), three.inTurn(3)))
                .containsExactly(0, 2, 0, 2);
        CommonPlanes five =
                terms(Profiles.model(), 5).agree(OWN, PEER, holes, 1, 1).planes();
        assertThat(five.bits()).isEqualTo(0b101);
        assertThat(five.width()).isEqualTo(3);
        assertThat(terms(Profiles.model(), 16)
                        .agree(OWN, PEER, holes, 1, 1)
                        .planes()
                        .bits())
                .isEqualTo(0b10_0010_0101);
    }

    private static Terms terms(EndpointConfig config, int planes) {
        return new Terms(shared(config, planes), OWN);
    }

    private static Shared shared(EndpointConfig config, int planes) {
        List<Address> addresses = new ArrayList<>();
        for (int i = 0; i < planes; i++) {
            addresses.add(plane(i).address());
        }
        Counters counters = new Counters();
        return new Shared(
                config,
                addresses,
                new SlotSlab(16),
                new FairShare(config.rate()),
                new PlaneTable(planes, config.plane(), new FairShare(config.rate()), 1),
                new Seal(new Crc32cTrailer(), counters),
                new Scratch(config),
                new SplitMix64(9),
                counters,
                TransportEvents.NONE,
                FirstNumbers.USUAL,
                new ReceivePasses(Reception.USUAL),
                new Pauses());
    }

    private static ConnectParameters peer(int planes) {
        List<PlaneAddress> addresses = new ArrayList<>();
        for (int i = 0; i < planes; i++) {
            addresses.add(plane(i));
        }
        return new ConnectParameters().planes(addresses);
    }

    private static PlaneAddress plane(int i) {
        return new PlaneAddress(i, Address.ipv4(0x0A000000 + i, 49741));
    }
}
