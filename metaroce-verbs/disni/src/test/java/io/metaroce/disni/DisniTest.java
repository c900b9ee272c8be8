package io.metaroce.disni;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.ibm.disni.RdmaActiveEndpointGroup;
import com.ibm.disni.util.MemoryUtils;
import com.ibm.disni.verbs.RdmaProvider;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Applications that know nothing but DiSNI run over metaroce. */
@Timeout(60)
final class DisniTest {
    /** What serves a client. */
    interface Server {
        void serve(InetSocketAddress at, Runnable whenListening) throws Exception;
    }

    @Test
    void theProviderThatDisniMakesIsOurs() throws Exception {
        assertThat(RdmaProvider.provider().openCm()).isInstanceOf(ConnectionEvents.class);
        assertThat(RdmaProvider.provider().openVerbs()).isInstanceOf(Verbs.class);
    }

    @Test
    void numbersGoToAndFro() throws Exception {
        int rounds = 200;
        InetSocketAddress at = free();
        FutureTask<Void> server = begin(at, (where, whenListening) -> PingPong.serve(where, rounds, whenListening));
        assertThat(PingPong.call(at, rounds)).isEqualTo(10L * rounds * (rounds - 1) / 2 + rounds);
        server.get(20, TimeUnit.SECONDS);
    }

    @Test
    void aMebibyteIsWrittenAndReadAgainAndAgain() throws Exception {
        InetSocketAddress at = free();
        FutureTask<Void> server = begin(at, Bulk::serve);
        assertThat(Bulk.move(at, 5).operations()).isEqualTo(40);
        server.get(20, TimeUnit.SECONDS);
    }

    @Test
    void theSameTrafficThroughOurOwnCalls() throws Exception {
        assertThat(Beside.own(2).operations()).isEqualTo(16);
    }

    /** Natively this hangs for ever: DiSNI's endpoint waits for a state that no error event brings about. */
    @Test
    void connectingToNobodyFailsAndSaysWhere() throws Exception {
        InetSocketAddress nobody = free();
        RdmaActiveEndpointGroup<PingPong.End> group = PingPong.group();
        try {
            PingPong.End end = group.createEndpoint();
            assertThatThrownBy(() -> end.connect(nobody, 1_000))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("PORT_UNREACHABLE")
                    .hasMessageContaining(":" + nobody.getPort());
        } finally {
            group.close();
        }
    }

    @Test
    void aNumberStandsForABuffer() {
        ByteBuffer buffer = ByteBuffer.allocateDirect(16);
        buffer.putLong(8, 42);
        long address = MemoryUtils.getAddress(buffer);
        assertThat(MemoryUtils.getAddress(buffer)).isEqualTo(address);
        assertThat(MemoryUtils.getAddress(buffer.duplicate())).isNotEqualTo(address);
        assertThat(BufferAddresses.at(address + 8, 8))
                .isNotNull()
                .satisfies(part -> assertThat(part.getLong(0)).isEqualTo(42));
        assertThat(BufferAddresses.at(address, 17)).isNull();
        assertThat(BufferAddresses.at(4711, 1)).isNull();
    }

    private static FutureTask<Void> begin(InetSocketAddress at, Server server) throws Exception {
        CountDownLatch listening = new CountDownLatch(1);
        FutureTask<Void> task = new FutureTask<>(() -> {
            server.serve(at, listening::countDown);
            return null;
        });
        Thread thread = new Thread(task, "server");
        thread.setDaemon(true);
        thread.start();
        assertThat(listening.await(20, TimeUnit.SECONDS)).isTrue();
        return task;
    }

    private static InetSocketAddress free() throws SocketException {
        try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            return new InetSocketAddress(InetAddress.getLoopbackAddress(), socket.getLocalPort());
        }
    }
}
