package io.metaroce.udp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.metaroce.engine.ConnectionListener;
import io.metaroce.engine.ConnectionView;
import io.metaroce.engine.Offer;
import io.metaroce.engine.PathView;
import io.metaroce.engine.StreamBinding;
import io.metaroce.memory.Access;
import io.metaroce.memory.MemoryRegion;
import io.metaroce.param.CloseReason;
import io.metaroce.queue.ArmMode;
import io.metaroce.queue.CompletionCell;
import io.metaroce.queue.CompletionRing;
import io.metaroce.queue.ReceiveRing;
import io.metaroce.queue.SendCell;
import io.metaroce.queue.SendFlags;
import io.metaroce.queue.SendRing;
import io.metaroce.queue.Signalling;
import io.metaroce.queue.WcStatus;
import io.metaroce.queue.WrOpcode;
import io.metaroce.trace.Counter;
import io.netty.channel.epoll.Epoll;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two endpoints on loopback through the engine's own interface: connect, write, compare, close. */
class TransferTest {
    private static final long LONG_NS = TimeUnit.SECONDS.toNanos(60);
    private static final int SERVICE = 5;
    private static final int DOMAIN = 1;
    private static final int CHUNK = 1 << 20;

    /** One side: an endpoint with one queue pair and one registered buffer. */
    private static final class Side implements ConnectionListener, AutoCloseable {
        private final UdpEndpoint endpoint;
        private final CompletionRing completions;
        private final SendRing sends;
        private final ReceiveRing receives;
        private final ByteBuffer memory;
        private final MemoryRegion region;
        private final AtomicInteger connection = new AtomicInteger(-1);
        private final AtomicReference<CloseReason> closed = new AtomicReference<>();
        private String detail = "";
        private Runnable afterwards = () -> {};

        Side(UdpConfig config, int bytes) {
            endpoint = UdpEndpoint.bind(config);
            completions = new CompletionRing(256, endpoint.doorbells(), endpoint::signal);
            sends = new SendRing(
                    64, 1, 0, 7, completions, completions.attach(), Signalling.FLAGGED, endpoint.doorbells());
            receives = new ReceiveRing(64, 1, 7, completions, completions.attach(), endpoint.doorbells());
            memory = ByteBuffer.allocateDirect(bytes);
            AtomicReference<MemoryRegion> registered = new AtomicReference<>();
            command((nowNs, engine) ->
                    registered.set(engine.regions().register(DOMAIN, memory.duplicate(), 0x10000, Access.ALL)));
            await(() -> registered.get() != null);
            region = Objects.requireNonNull(registered.get());
        }

        void command(io.metaroce.queue.Command<io.metaroce.engine.Endpoint> command) {
            endpoint.commands().offer((nowNs, engine) -> {
                command.run(nowNs, engine);
                endpoint.signal();
            });
            endpoint.doorbells().wake();
        }

        void await(BooleanSupplier done) {
            assertThat(endpoint.await(done, LONG_NS))
                    .as("in time; closed: %s %s", closed, detail)
                    .isTrue();
        }

        List<StreamBinding> binding() {
            return List.of(new StreamBinding(0, DOMAIN, sends, receives));
        }

        @Override
        public void offered(long nowNs, int connectionId, Offer offer) {
            // The listener is called on the endpoint's thread, so the engine may be told at once through a command.
            command((at, engine) -> engine.accept(at, connectionId, binding(), new byte[0]));
        }

        @Override
        public void established(long nowNs, int connectionId, byte[] privateData) {
            connection.set(connectionId);
            endpoint.signal();
        }

        @Override
        public void closed(long nowNs, int connectionId, CloseReason reason, String sentence, byte[] privateData) {
            detail = sentence;
            closed.set(reason);
            endpoint.signal();
        }

        /** Writes all of {@link #memory} in pieces and waits for the last one. */
        void writeAllTo(Side peer) {
            int pieces = memory.capacity() / CHUNK;
            int posted = 0;
            int done = 0;
            while (done < pieces) {
                SendCell cell = posted < pieces ? sends.acquire() : null;
                if (cell != null) {
                    cell.wrId(posted)
                            .opcode(WrOpcode.RDMA_WRITE)
                            .flags(SendFlags.SIGNALED)
                            .rkey(peer.region.key())
                            .remoteAddress(peer.region.base() + (long) posted * CHUNK)
                            .addSge(region.key(), (long) posted * CHUNK, CHUNK);
                    sends.post(cell);
                    sends.ring();
                    posted++;
                    continue;
                }
                AtomicReference<@Nullable CompletionCell> taken = new AtomicReference<>();
                await(() -> {
                    completions.arm(ArmMode.ANY);
                    taken.set(completions.take());
                    return taken.get() != null;
                });
                CompletionCell completion = Objects.requireNonNull(taken.get());
                assertThat(completion.status()).isEqualTo(WcStatus.SUCCESS);
                assertThat(completion.wrId()).isEqualTo(done);
                completions.release(completion);
                done++;
            }
        }

        @Override
        public void close() {
            endpoint.close();
        }
    }

    private static UdpConfig.Builder config(UdpConfig.Engine engine, String address) {
        return UdpConfig.builder().bind(address.split(" ")).engine(engine);
    }

    private static void transfer(UdpConfig client, UdpConfig server, int bytes, Consumer<Side> afterConnect) {
        try (Side initiator = new Side(client, bytes);
                Side responder = new Side(server, bytes)) {
            for (int i = 0; i < bytes; i++) {
                initiator.memory.put(i, (byte) (i * 31 + (i >> 12)));
            }
            responder.command((nowNs, engine) -> engine.listen(SERVICE, responder));
            initiator.command((nowNs, engine) -> engine.connect(
                    nowNs, responder.endpoint.localAddress(), SERVICE, initiator.binding(), new byte[0], initiator));
            initiator.await(() -> initiator.connection.get() != -1);
            afterConnect.accept(initiator);
            initiator.writeAllTo(responder);
            assertThat(responder.memory.mismatch(initiator.memory)).isEqualTo(-1);
            initiator.afterwards.run();
            initiator.command((nowNs, engine) -> engine.close(nowNs, initiator.connection.get()));
            initiator.await(() -> initiator.closed.get() != null);
            responder.await(() -> responder.closed.get() != null);
            assertThat(initiator.closed.get()).isEqualTo(CloseReason.LOCAL_CLOSE);
            assertThat(responder.closed.get()).isEqualTo(CloseReason.PEER_CLOSE);
            SendStatistics sent = initiator.endpoint.sendStatistics();
            if (client.faults().equals(FaultPlan.NONE)) {
                long cut = initiator.endpoint.faults().statistics().cut();
                assertThat(sent.packets() + cut)
                        .isEqualTo(initiator.endpoint.counters().get(Counter.TX_PACKETS));
            }
            assertThat(sent.failedPackets()).isZero();
        }
    }

    @ParameterizedTest
    @CsvSource({"AUTO, 127.0.0.1:0", "AUTO, [::1]:0", "NIO, 127.0.0.1:0", "AUTO, 127.0.0.1:0 127.0.0.2:0"})
    void eightMebibytesArriveAsTheyWereWritten(UdpConfig.Engine engine, String address) {
        UdpConfig config = config(engine, address).build();
        transfer(config, config, 8 * CHUNK, side -> {});
    }

    @Test
    void lossDuplicatesReorderingAndDamageOnlyCostTime() {
        FaultPlan plan = FaultPlan.NONE
                .withTarget(FaultPlan.Target.ALL)
                .withLoss(0.01)
                .withDuplicate(0.01)
                .withReorder(0.02, 6)
                .withCorrupt(0.005);
        UdpConfig config = config(UdpConfig.Engine.AUTO, "127.0.0.1:0")
                .faults(plan)
                .seed(11)
                .build();
        transfer(config, config, 8 * CHUNK, side -> {});
    }

    @Test
    void delayIsOnlyDelay() {
        FaultPlan plan =
                FaultPlan.NONE.withTarget(FaultPlan.Target.ALL).withDelay(Duration.ofMillis(1), Duration.ofMillis(1));
        UdpConfig config =
                config(UdpConfig.Engine.AUTO, "127.0.0.1:0").faults(plan).build();
        transfer(config, config, 2 * CHUNK, side -> {});
    }

    @Test
    void aCutPathTakesAnotherRoute() {
        UdpConfig config = config(UdpConfig.Engine.AUTO, "127.0.0.1:0").build();
        transfer(
                config,
                config,
                32 * CHUNK,
                side -> side.endpoint.faults().cut(Cut.path(2).afterPackets(1000)));
    }

    @Test
    void aPlaneMayDie() {
        UdpConfig config =
                config(UdpConfig.Engine.AUTO, "127.0.0.1:0 127.0.0.2:0").build();
        transfer(
                config,
                config,
                32 * CHUNK,
                side -> side.endpoint.faults().cut(Cut.plane(1).afterPackets(1000)));
    }

    /** Real codepoints through real sockets: whoever reads them tells of the marked path, and that one gives way. */
    @Test
    void aMarkedPathBacksOffAndNoOther() {
        assumeThat(Epoll.isAvailable())
                .as("codepoints are read with epoll only")
                .isTrue();
        UdpConfig config = config(UdpConfig.Engine.AUTO, "127.0.0.1:0").build();
        int marked = 3;
        transfer(config, config, 64 * CHUNK, side -> {
            markEveryRouteBut(side, marked);
            side.afterwards = () -> {
                List<PathView> paths = view(side).paths();
                PathView slow = paths.get(marked);
                assertThat(slow.marks()).isPositive();
                long slots = 0;
                int others = 0;
                for (PathView other : paths) {
                    if (other.id() != marked && other.epoch() == 0) {
                        assertThat(other.marks()).as("%s", other).isZero();
                        slots += other.slots();
                        others++;
                    }
                }
                // How wide windows are at the end depends on real time: what a path has carried tells more.
                assertThat(slow.slots() * others).as("%s", paths).isLessThan(slots);
            };
        });
    }

    /** The path may leave its route; wherever it goes, the routes of the others apart, it meets marks again. */
    private static void markEveryRouteBut(Side side, int marked) {
        List<PathView> paths = view(side).paths();
        for (int entropy = 0; entropy < side.endpoint.config().limits().sourcePorts(); entropy++) {
            int port = entropy;
            if (paths.stream().noneMatch(path -> path.id() != marked && path.entropy() == port)) {
                side.endpoint.congest(0, port);
            }
        }
    }

    private static ConnectionView view(Side side) {
        AtomicReference<@Nullable ConnectionView> seen = new AtomicReference<>();
        side.command((nowNs, engine) -> seen.set(engine.view(side.connection.get())));
        side.await(() -> seen.get() != null);
        return Objects.requireNonNull(seen.get());
    }

    @Test
    void nobodyListeningAndNobodyThereAreToldApart() {
        UdpConfig config = config(UdpConfig.Engine.AUTO, "127.0.0.1:0").build();
        try (Side initiator = new Side(config, CHUNK);
                Side responder = new Side(config, CHUNK)) {
            initiator.command((nowNs, engine) -> engine.connect(
                    nowNs, responder.endpoint.localAddress(), SERVICE, initiator.binding(), new byte[0], initiator));
            initiator.await(() -> initiator.closed.get() != null);
            assertThat(initiator.closed.get()).isEqualTo(CloseReason.REJECTED_NO_SERVICE);
        }
    }

    @Test
    void anIdleConnectionSendsAlmostNothing() {
        UdpConfig config = config(UdpConfig.Engine.AUTO, "127.0.0.1:0").build();
        transfer(config, config, CHUNK, side -> {
            long before = side.endpoint.sendStatistics().packets();
            assertThat(side.endpoint.await(() -> false, TimeUnit.MILLISECONDS.toNanos(300)))
                    .isFalse();
            assertThat(side.endpoint.sendStatistics().packets() - before).isLessThan(200);
        });
    }
}
