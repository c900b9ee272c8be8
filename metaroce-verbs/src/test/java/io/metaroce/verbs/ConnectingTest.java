package io.metaroce.verbs;

import static io.metaroce.verbs.Connected.LONG;
import static io.metaroce.verbs.Connected.SERVICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaroce.param.Profiles;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Ways to connect beside the plain one: again, after a while, without a listener; and how it is told. */
@Timeout(60)
final class ConnectingTest {
    private static VerbsWorld sim() {
        return new SimWorld(VerbsContract.impatient(Profiles.model()));
    }

    private static VerbsWorld udp() {
        return new UdpWorld(VerbsContract.impatient(Profiles.udp()));
    }

    private static FutureTask<Connection> begun(Callable<Connection> what) {
        FutureTask<Connection> task = new FutureTask<>(what);
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        thread.start();
        return task;
    }

    @Test
    void aClientMayStartBeforeItsServer() throws Exception {
        try (VerbsWorld world = udp()) {
            Connected both = Connected.apart(world, 1, how -> how);
            FutureTask<Connection> client = begun(() -> world.client()
                    .connector()
                    .withTimeout(Duration.ofSeconds(2))
                    .withRetries(RetryPolicy.patient(Duration.ofSeconds(20)))
                    .connect(world.serverAddress(), SERVICE, both.client.qp()));
            assertThat(world.client().await(() -> both.client.qp().state() == QpState.ERR, LONG))
                    .as("the first attempt has failed")
                    .isTrue();
            try (Listener listener = world.server().listen(SERVICE)) {
                listener.accept(LONG).accept(both.server.qp());
            }
            assertThat(client.get(20, TimeUnit.SECONDS).isEstablished()).isTrue();
        }
    }

    @Test
    void aPeerThatRefusesIsNotAskedAgain() {
        assertThat(RetryPolicy.mayPass(ConnectFailure.REJECTED)).isFalse();
        assertThat(RetryPolicy.mayPass(ConnectFailure.NO_SERVICE)).isTrue();
        assertThatThrownBy(() -> new RetryPolicy(Duration.ofSeconds(2), Duration.ofSeconds(1), Duration.ZERO))
                .hasMessageContaining("longest is at least first");
    }

    @Test
    void retriesEndWithTheLastFailure() {
        try (VerbsWorld world = sim()) {
            Connected both = Connected.apart(world, 1, how -> how);
            long beganNs = world.client().engine().nowNs(world.client());
            assertThatThrownBy(() -> world.client()
                            .connector()
                            .withRetries(
                                    new RetryPolicy(Duration.ofMillis(1), Duration.ofMillis(4), Duration.ofMillis(20)))
                            .connect(world.serverAddress(), SERVICE, both.client.qp()))
                    .isInstanceOf(VerbsConnectException.class)
                    .hasMessageContaining("NO_SERVICE");
            assertThat(world.client().engine().nowNs(world.client()) - beganNs).isBetween(15_000_000L, 25_000_000L);
        }
    }

    @Test
    void aConnectionThatWasLostIsMadeAgain() throws Exception {
        try (VerbsWorld world = udp()) {
            Connected both = Connected.with(world);
            Connection first = both.client.connection();
            Connector connector = world.client().connector();
            assertThatThrownBy(() -> connector.reconnect(first)).hasMessageContaining("must be closed");
            both.server.connection().close();
            assertThat(world.client().await(first::isClosed, LONG)).isTrue();
            both.server.qp().modify(QpState.RESET);
            FutureTask<Connection> client = begun(() -> connector.reconnect(first));
            try (Listener listener = world.server().listen(SERVICE)) {
                FutureTask<Connection> server =
                        begun(() -> listener.accept(LONG).accept(both.server.qp()));
                Connection second;
                try {
                    second = client.get(20, TimeUnit.SECONDS);
                } catch (ExecutionException e) {
                    // It asked before anybody listened.
                    second = connector.reconnect(both.client.qp().connection().orElseThrow());
                }
                assertThat(second.isEstablished()).isTrue();
                assertThat(server.get(20, TimeUnit.SECONDS).isEstablished()).isTrue();
            }
            both.server.postReceive(1, both.server.region(8, AccessFlag.LOCAL_WRITE), 8);
            assertThat(both.client.qp().postSend(1, both.client.pattern(8, 1).lkey(), 0, 8, 2))
                    .isTrue();
            both.client.nextSuccess();
        }
    }

    @Test
    void twoSidesConnectByTheirTuples() throws Exception {
        try (VerbsWorld world = udp()) {
            Connected both = Connected.apart(world, 1, how -> how);
            QpTuple ofClient = both.client.qp().tuple();
            QpTuple ofServer = both.server.qp().tuple();
            assertThat(ofClient.toString()).contains("QPN 0x0000", "PSN 0x", "ADDR 127.0.0.1:");
            FutureTask<Connection> other = begun(() -> both.server.qp().connectTo(ofClient, LONG));
            Connection own = both.client.qp().connectTo(ofServer, LONG);
            assertThat(own.isEstablished()).isTrue();
            assertThat(other.get(20, TimeUnit.SECONDS).isEstablished()).isTrue();
            both.server.postReceive(1, both.server.region(8, AccessFlag.LOCAL_WRITE), 8);
            assertThat(both.client.qp().postSend(1, both.client.pattern(8, 1).lkey(), 0, 8, 2))
                    .isTrue();
            assertThat(both.server.nextSuccess().byteLength()).isEqualTo(8);
        }
    }

    @Test
    void aTupleOfAnEarlierRunFitsNobody() throws Exception {
        try (VerbsWorld world = udp()) {
            Connected both = Connected.apart(world, 1, how -> how);
            QpTuple ofClient = both.client.qp().tuple();
            QpTuple ofServer = both.server.qp().tuple();
            QpTuple stale = new QpTuple(ofServer.address(), ofServer.qpNumber(), ofServer.psn() ^ 1);
            FutureTask<Connection> other = begun(() -> both.server.qp().connectTo(ofClient, Duration.ofSeconds(1)));
            assertThatThrownBy(() -> both.client.qp().connectTo(stale, Duration.ofSeconds(1)))
                    .isInstanceOf(VerbsConnectException.class);
            assertThatThrownBy(() -> other.get(20, TimeUnit.SECONDS)).hasCauseInstanceOf(VerbsConnectException.class);
            assertThatThrownBy(() -> both.client.qp().connectTo(ofClient, LONG)).hasMessageContaining("itself");
        }
    }

    @Test
    void eventsHaveTheNamesOfTheConnectionManager() throws Exception {
        try (VerbsWorld world = sim()) {
            List<String> told = new ArrayList<>();
            world.client().onCmEvent((event, connection, detail) -> told.add("client " + event.text()));
            world.server().onCmEvent((event, connection, detail) -> told.add("server " + event.text()));
            Connected both = Connected.with(world);
            both.client.connection().close();
            assertThat(both.server.device.await(both.server.connection()::isClosed, LONG))
                    .isTrue();
            assertThat(told)
                    .containsExactlyInAnyOrder(
                            "server RDMA_CM_EVENT_CONNECT_REQUEST",
                            "client RDMA_CM_EVENT_ESTABLISHED",
                            "server RDMA_CM_EVENT_ESTABLISHED",
                            "client RDMA_CM_EVENT_DISCONNECTED",
                            "server RDMA_CM_EVENT_DISCONNECTED");
            told.clear();
            QueuePair another = both.client.domain.createQueuePair(QpInitAttributes.of(both.client.queue));
            assertThatThrownBy(() -> world.client().connect(world.serverAddress(), 99, LONG, another))
                    .isInstanceOf(VerbsConnectException.class);
            assertThat(told).containsExactly("client RDMA_CM_EVENT_REJECTED");
            assertThat(CmEvent.TIMEWAIT_EXIT.value()).isEqualTo(15);
            assertThat(CmEvent.of(ConnectFailure.PORT_UNREACHABLE)).isEqualTo(CmEvent.UNREACHABLE);
            assertThat(CmEvent.of(ConnectFailure.ABANDONED)).isEqualTo(CmEvent.CONNECT_ERROR);
        }
    }

    @Test
    void timesStandBesideTheCodesOfVerbs() {
        assertThat(VerbsTimers.rnrTimer(0)).isEqualTo(Duration.ofNanos(655_360_000));
        assertThat(VerbsTimers.rnrTimer(1)).isEqualTo(Duration.ofNanos(10_000));
        assertThat(VerbsTimers.rnrTimer(12)).isEqualTo(Duration.ofNanos(640_000));
        assertThat(VerbsTimers.rnrTimer(31)).isEqualTo(Duration.ofNanos(491_520_000));
        assertThat(VerbsTimers.rnrTimerCode(Duration.ofMillis(1))).isEqualTo(14);
        assertThat(VerbsTimers.ackTimeout(14)).isEqualTo(Duration.ofNanos(67_108_864));
        assertThat(VerbsTimers.ackTimeoutCode(Duration.ofMillis(67))).isEqualTo(14);
        assertThatThrownBy(() -> VerbsTimers.ackTimeout(0)).hasMessageContaining("for ever");
        assertThatThrownBy(() -> VerbsTimers.rnrTimer(32)).hasMessageContaining("0 to 31");
        try (VerbsWorld world = sim()) {
            QpInitAttributes usual = QpInitAttributes.of(world.client().createCompletionQueue(4));
            assertThat(usual.patience(world.client()))
                    .contains("given up after", "RETRY_EXC_ERR", "waited for without end (rnr_retry 7)");
            assertThat(usual.withMinRnrTimer(12).withRnrRetries(3).patience(world.client()))
                    .contains("tried again 3 times", "640 us", "min_rnr_timer 12", "RNR_RETRY_EXC_ERR");
            assertThat(usual.withTimeout(0, 7).patience(world.client())).contains("without end (timeout 0)");
            assertThat(usual.withDeadTime(Duration.ofSeconds(2)).deadNs()).isEqualTo(2_000_000_000L);
            assertThat(usual.withMinRnrTimer(0).rnrDelay()).isEqualTo(Duration.ofNanos(655_350_000));
        }
    }
}
