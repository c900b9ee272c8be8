package io.metaroce.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaroce.connection.Requests;
import io.metaroce.param.CloseReason;
import io.metaroce.param.EndpointConfig;
import io.metaroce.param.EndpointLimits;
import io.metaroce.param.Profiles;
import io.metaroce.sim.Addressing;
import io.metaroce.sim.App;
import io.metaroce.sim.PacketKind;
import io.metaroce.sim.Script;
import io.metaroce.wire.ConnectReject;
import io.metaroce.wire.model.Packet;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The cap on the memory of an endpoint's state: what would exceed it is refused by name, and comes back at the end. */
class TransportMemoryTest {
    private static final long S = 1_000_000_000L;
    private static final EndpointLimits SMALL = new EndpointLimits(64, 256, 16, 16, 64);
    private final long connection = bytesOfConnection();

    @Test
    void connectionsBeyondItAreRefusedAndNothingIsTaken() {
        Script script = script(3 * connection);
        App app = script.app(0, 4096, 16);
        long before = script.endpoint().memoryUse().bytes();
        connect(script, List.of(app.binding()));
        long one = script.endpoint().memoryUse().bytes() - before;
        assertThat(one).isGreaterThan(connection);
        connect(script, List.of());
        assertThatThrownBy(() -> connect(script, List.of(script.app(0, 4096, 16).binding())))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(one + " bytes")
                .hasMessageContaining("limits.transportBytes");
        MemoryUse use = script.endpoint().memoryUse();
        assertThat(use.bytes()).isEqualTo(before + one + connection);
        assertThat(use.bytes()).isLessThanOrEqualTo(use.capBytes());
        script.after(200 * S); // nobody answers; all of it is forgotten
        assertThat(script.endpoint().memoryUse().bytes()).isEqualTo(before);
        assertThat(script.endpoint().memoryUse().peakBytes()).isEqualTo(use.bytes());
    }

    @Test
    void aRequestBeyondItIsRejected() {
        Script script = script(connection / 2);
        List<Integer> offers = offers(script);
        assertThat(rejected(script).reason()).isEqualTo(ConnectReject.RESOURCES);
        assertThat(offers).isEmpty();
    }

    @Test
    void anAcceptanceBeyondItBecomesARejection() {
        Script script = script(connection + connection / 8);
        List<Integer> offers = offers(script);
        request(script);
        assertThat(offers).hasSize(1);
        script.endpoint()
                .accept(
                        script.nowNs(),
                        offers.get(0),
                        List.of(script.app(0, 4096, 512).binding()),
                        new byte[0]);
        Packet.ConnectReject reject = (Packet.ConnectReject)
                script.go().take(Script.any(PacketKind.SETUP)).packet();
        assertThat(reject.reason()).isEqualTo(ConnectReject.RESOURCES);
        assertThat(script.events()).containsExactly("closed REJECTED_RESOURCES");
    }

    @Test
    void limitsThatDoNotFitItAreRefusedAtOnce() {
        EndpointConfig config = Profiles.model().withLimits(new EndpointLimits(64, 1 << 20, 16, 16, 64, 1 << 20));
        assertThatThrownBy(() -> new TransportMemory(config))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("limits.slots")
                .hasMessageContaining("limits.transportBytes");
    }

    @Test
    void memoryForOrderedWritesIsCounted() {
        EndpointConfig config = Profiles.model().withLimits(SMALL);
        long more =
                new TransportMemory(config.withConnection(config.connection().withOrderedWrites(10))).ofConnection();
        assertThat(more - connection).isBetween(10L * 4096, 10L * 4096 + 1000);
    }

    private static long bytesOfConnection() {
        return new TransportMemory(Profiles.model().withLimits(SMALL)).ofConnection();
    }

    /** An endpoint with room for so many bytes of connections. */
    private static Script script(long bytes) {
        EndpointLimits roomy = new EndpointLimits(64, 1 << 14, 16, 16, 64);
        long always =
                new TransportMemory(Profiles.model().withLimits(roomy)).use().bytes();
        return new Script(Profiles.model().withLimits(roomy.withTransportBytes(always + bytes)), 1);
    }

    private static void connect(Script script, List<StreamBinding> streams) {
        script.endpoint().connect(0, Addressing.of(0, Script.PEER_NODE), 1, streams, new byte[0], script.listener());
    }

    private static List<Integer> offers(Script script) {
        List<Integer> offers = new ArrayList<>();
        script.endpoint().listen(Script.SERVICE, new ConnectionListener() {
            @Override
            public void offered(long nowNs, int connectionId, Offer offer) {
                offers.add(connectionId);
            }

            @Override
            public void established(long nowNs, int connectionId, byte[] privateData) {}

            @Override
            public void closed(long nowNs, int id, CloseReason reason, String detail, byte[] privateData) {
                script.listener().closed(nowNs, id, reason, detail, privateData);
            }
        });
        return offers;
    }

    private static void request(Script script) {
        script.deliver(Requests.request(Requests.parameters()), 0);
        Packet.ConnectRetry retry = (Packet.ConnectRetry)
                script.go().take(Script.any(PacketKind.SETUP)).packet();
        script.deliver(
                Requests.request(Requests.parameters().cookie(retry.cookie().toArray())), 0);
    }

    private static Packet.ConnectReject rejected(Script script) {
        request(script);
        return (Packet.ConnectReject)
                script.go().take(Script.any(PacketKind.SETUP)).packet();
    }
}
