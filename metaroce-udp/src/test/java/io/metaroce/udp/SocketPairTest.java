package io.metaroce.udp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.metaroce.datagram.Datagram;
import io.metaroce.datagram.Route;
import io.metaroce.datagram.Transmit;
import io.metaroce.num.Deadline;
import io.metaroce.udp.Capabilities.Ability;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.socket.DatagramChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Real sockets, no engine: what goes into a batch comes out of the other side as it was. */
class SocketPairTest {
    private static final int PACKETS = 2_000;
    private static final int HEADER = 8;

    private enum Switch {
        ON,
        OFF;

        Ability ability() {
            return this == ON ? Ability.on("test") : Ability.off("test");
        }

        OutboundSocket.Segmentation segmentation() {
            return this == ON ? OutboundSocket.Segmentation.ON : OutboundSocket.Segmentation.OFF;
        }
    }

    /** Lengths that make long runs, short tails and single packets. */
    private static int lengthOf(int number) {
        return switch (number % 40) {
            case 13 -> 700;
            case 14, 15 -> 64;
            case 39 -> HEADER + Transmit.TRAILER_BYTES;
            default -> 4140;
        };
    }

    private static byte byteOf(int number, int index) {
        return (byte) (number * 7 + index);
    }

    /** Checks each packet against its number; a packet joined with another would fail at once. */
    private static final class Checker implements PassWork {
        private final AtomicInteger good = new AtomicInteger();
        private final AtomicInteger bad = new AtomicInteger();
        private final Waiters waiters = new Waiters();

        @Override
        public void feed(long nowNs, Datagram datagram) {
            ByteBuffer bytes = datagram.buffer();
            int at = datagram.offset();
            int number = bytes.getInt(at);
            boolean isRight = datagram.length() == lengthOf(number)
                    && bytes.getInt(at + datagram.length() - Transmit.TRAILER_BYTES) == ~number;
            for (int i = HEADER; isRight && i < datagram.length() - Transmit.TRAILER_BYTES; i++) {
                isRight = bytes.get(at + i) == byteOf(number, i - HEADER);
            }
            (isRight ? good : bad).incrementAndGet();
        }

        @Override
        public long quiesce(long nowNs) {
            waiters.signal();
            return Deadline.NEVER;
        }

        @Override
        public boolean wantsPass() {
            return false;
        }

        @Override
        public void failed(Throwable cause) {
            bad.incrementAndGet();
        }

        boolean hasAll() {
            return good.get() + bad.get() >= PACKETS;
        }
    }

    @ParameterizedTest
    @CsvSource({
        "EPOLL, ON, ON, 127.0.0.1",
        "EPOLL, ON, OFF, 127.0.0.1",
        "EPOLL, OFF, ON, 127.0.0.1",
        "EPOLL, OFF, OFF, 127.0.0.1",
        "NIO, OFF, OFF, 127.0.0.1",
        "EPOLL, ON, ON, ::1",
        "NIO, OFF, OFF, ::1",
    })
    void packetsArriveAsTheyWereSent(UdpConfig.Engine engine, Switch segmented, Switch coalesced, String address)
            throws Exception {
        assumeTrue(engine == UdpConfig.Engine.NIO || Epoll.isAvailable());
        InetAddress local = HostPort.parse(address).addresses()[0];
        UdpConfig config = UdpConfig.builder()
                .bind(address)
                .engine(engine)
                .receiveBufferBytes(16 << 20)
                .build();
        MonotonicTime clock = new MonotonicTime();
        try (EventLoops loops = EventLoops.open(config)) {
            UdpSockets sockets = new UdpSockets(loops);
            Checker checker = new Checker();
            LoopDriver driver = new LoopDriver(loops.loop(), clock, checker);
            ServiceSocket receiver = ServiceSocket.bind(sockets, new InetSocketAddress(local, 0), config);
            receiver.prepare(coalesced.ability());
            OutboundSocket unusedSide = new OutboundSocket(
                    receiver.channel(), 0, OutboundSocket.Segmentation.OFF, new SendTally(), new SendTrouble(clock));
            ReceiveBatch batchIn = new ReceiveBatch(driver, 0, ReceiveBatch.Intake.ALL);
            loops.loop()
                    .submit(() -> receiver.start(codepoint -> new SocketHandler(driver, batchIn, unusedSide), null))
                    .sync();

            SendTally tally = new SendTally();
            DatagramChannel channel = sockets.create(local);
            UdpSockets.dress(channel, local, 0);
            OutboundSocket out =
                    new OutboundSocket(channel, 0, segmented.segmentation(), tally, new SendTrouble(clock));
            sockets.bind(channel, new InetSocketAddress(local, 0), new SocketHandler(driver, batchIn, out));
            Plane plane = new Plane(out, entropy -> out, new SocketAddresses(local));
            SendBatch batch = new SendBatch(new Plane[] {plane}, tally, () -> {});
            out.listener(batch);

            Route route = new Route(0, 0, receiver.address());
            for (int sent = 0; sent < PACKETS; ) {
                // Never more under way than the smallest socket buffer of a machine holds.
                int from = sent;
                int to = Math.min(PACKETS, sent + 25);
                loops.loop().submit(() -> sendRange(batch, route, from, to)).sync();
                sent = to;
                assertThat(checker.waiters.await(
                                () -> checker.good.get() + checker.bad.get() >= to, TimeUnit.SECONDS.toNanos(30)))
                        .as("packets up to %d", to)
                        .isTrue();
            }
            assertThat(checker.hasAll()).isTrue();
            assertThat(checker.bad).hasValue(0);
            SendStatistics statistics = tally.snapshot();
            assertThat(statistics.packets()).isEqualTo(PACKETS);
            assertThat(statistics.failedPackets()).isZero();
            assertThat(statistics.segments() > 0).isEqualTo(segmented == Switch.ON);
            receiver.close();
            UdpSockets.close(channel);
            loops.loop().submit(batch::close).sync();
        }
    }

    private static void sendRange(SendBatch batch, Route route, int from, int to) {
        Transmit transmit = new Transmit();
        ByteBuffer memory = ByteBuffer.allocateDirect(8192);
        for (int number = from; number < to; number++) {
            int body = lengthOf(number) - HEADER - Transmit.TRAILER_BYTES;
            for (int i = 0; i < body; i++) {
                memory.put(i, byteOf(number, i));
            }
            transmit.reset();
            transmit.headerLength(HEADER);
            transmit.header().putInt(0, number);
            transmit.header().putInt(4, 0);
            transmit.payload(memory, 0, body);
            transmit.trailer(~number);
            transmit.route(route);
            batch.send(transmit);
        }
        batch.flush();
    }

    @Test
    void theSelfTestFindsWhatThisKernelCanDo() throws Exception {
        assumeTrue(Epoll.isAvailable());
        UdpConfig config = UdpConfig.on("127.0.0.1");
        try (EventLoops loops = EventLoops.open(config)) {
            SelfTest test = new SelfTest(new UdpSockets(loops), InetAddress.getLoopbackAddress());
            Ability segmentation = test.segmentation(UdpConfig.Offload.AUTO);
            assertThat(segmentation.isOn() ? "tested at bind" : segmentation.reason())
                    .isEqualTo(segmentation.reason());
            assertThat(test.segmentation(UdpConfig.Offload.OFF).isOn()).isFalse();
            assertThat(test.coalescing(UdpConfig.Offload.AUTO, segmentation).isOn())
                    .isEqualTo(segmentation.isOn());
            assertThat(test.coalescing(UdpConfig.Offload.AUTO, Ability.off("no kernel"))
                            .reason())
                    .contains("no kernel");
        }
    }

    @Test
    void withoutEpollTheSelfTestSaysSo() throws Exception {
        UdpConfig config = UdpConfig.builder()
                .bind("127.0.0.1")
                .engine(UdpConfig.Engine.NIO)
                .build();
        try (EventLoops loops = EventLoops.open(config)) {
            SelfTest test = new SelfTest(new UdpSockets(loops), InetAddress.getLoopbackAddress());
            assertThat(test.segmentation(UdpConfig.Offload.AUTO).reason()).isEqualTo("needs epoll");
            assertThatThrownBy(() -> test.segmentation(UdpConfig.Offload.ON))
                    .hasMessageContaining("needs epoll")
                    .hasMessageContaining("segmentation(AUTO)");
        }
    }
}
