package io.metaroce.udp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.metaroce.datagram.Address;
import io.metaroce.datagram.Datagram;
import io.metaroce.datagram.Route;
import io.metaroce.datagram.TrafficClass;
import io.metaroce.datagram.Transmit;
import io.metaroce.num.Deadline;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.socket.DatagramPacket;
import io.netty.channel.unix.Errors.NativeIoException;
import io.netty.channel.unix.SegmentedDatagramPacket;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class SendBatchTest {
    @BeforeAll
    static void theClassOfTheKernelsErrorsNeedsTheNativeLibrary() {
        assumeTrue(Epoll.isAvailable());
    }

    private static final int EPERM = 1;
    private static final int EIO = 5;
    private static final int EMSGSIZE = 90;
    private static final Address PEER = Address.ipv4(0x7F000001, 5000);

    /** A socket whose kernel obeys the test. */
    private final class FakeSocket extends EmbeddedChannel {
        private final List<String> sent = new ArrayList<>();
        private int segmentedSends;
        private int failSegmentedFrom = Integer.MAX_VALUE;
        private int failSinglesFrom = Integer.MAX_VALUE;
        private int singles;
        private int error = EIO;
        private boolean isFull;

        @Override
        protected void doWrite(ChannelOutboundBuffer queued) {
            for (Object message = queued.current(); message != null; message = queued.current()) {
                if (isFull) {
                    return;
                }
                if (message instanceof SegmentedDatagramPacket packet) {
                    segmentedSends++;
                    if (segmentedSends >= failSegmentedFrom) {
                        queued.remove(new NativeIoException("sendmmsg(..)", -error, false));
                        continue;
                    }
                    ByteBuf content = packet.content();
                    StringBuilder lengths = new StringBuilder("segmented");
                    int left = content.readableBytes();
                    for (int at = content.readerIndex(); left > 0; ) {
                        int length = Math.min(packet.segmentSize(), left);
                        lengths.append(' ')
                                .append(number(content, at))
                                .append('/')
                                .append(length);
                        at += length;
                        left -= length;
                    }
                    sent.add(lengths.toString());
                } else if (message instanceof DatagramPacket packet) {
                    singles++;
                    if (singles >= failSinglesFrom) {
                        queued.remove(new NativeIoException("sendmsg(..)", -error, false));
                        continue;
                    }
                    ByteBuf content = packet.content();
                    sent.add("single " + number(content, content.readerIndex()) + "/" + content.readableBytes());
                }
                inOrder.add(sent.get(sent.size() - 1));
                queued.remove();
            }
        }

        void drain() {
            isFull = false;
            flush();
        }

        private static int number(ByteBuf content, int at) {
            int number = content.getInt(at);
            for (int i = 4; i < 8; i++) {
                assertThat(content.getByte(at + i))
                        .as("the body of packet " + number)
                        .isEqualTo((byte) number);
            }
            return number;
        }
    }

    /** Nothing is received here. */
    private static final class Idle implements PassWork {
        @Override
        public void feed(long nowNs, Datagram datagram) {}

        @Override
        public long quiesce(long nowNs) {
            return Deadline.NEVER;
        }

        @Override
        public boolean wantsPass() {
            return false;
        }

        @Override
        public void failed(Throwable cause) {}
    }

    private final List<String> inOrder = new ArrayList<>(); // what all sockets have sent
    private final SendTally tally = new SendTally();
    private final SendTrouble trouble = new SendTrouble(() -> 0);
    private final FakeSocket service = new FakeSocket();
    private final FakeSocket[] pool = {new FakeSocket(), new FakeSocket()};
    private final List<String> wakeUps = new ArrayList<>();
    private final SendBatch batch = batch(OutboundSocket.Segmentation.ON);
    private final Route first = new Route(0, 0, PEER);
    private final Route second = new Route(0, 1, PEER);
    private final Transmit transmit = new Transmit();
    private final ByteBuffer memory = ByteBuffer.allocateDirect(65_536);
    private int next;

    private SendBatch batch(OutboundSocket.Segmentation segmentation) {
        OutboundSocket[] sockets = new OutboundSocket[3];
        FakeSocket[] channels = {service, pool[0], pool[1]};
        for (int i = 0; i < channels.length; i++) {
            channels[i].config().setWriteBufferWaterMark(new WriteBufferWaterMark(1, 1));
            OutboundSocket socket = new OutboundSocket(channels[i], 0, segmentation, tally, trouble);
            LoopDriver driver = new LoopDriver(channels[i].eventLoop(), () -> 0, new Idle());
            channels[i]
                    .pipeline()
                    .addLast(new SocketHandler(driver, new ReceiveBatch(driver, 0, ReceiveBatch.Intake.ALL), socket));
            sockets[i] = socket;
        }
        Plane plane = new Plane(
                sockets[0], entropy -> sockets[1 + entropy], new SocketAddresses(InetAddress.getLoopbackAddress()));
        SendBatch made = new SendBatch(new Plane[] {plane}, tally, () -> wakeUps.add("room"));
        for (OutboundSocket socket : sockets) {
            socket.listener(made);
        }
        return made;
    }

    @AfterEach
    void everyByteIsGivenBack() {
        batch.close();
        for (FakeSocket socket : List.of(service, pool[0], pool[1])) {
            socket.isFull = false;
            boolean unused = socket.finishAndReleaseAll();
        }
    }

    /** Packets are numbered from 0; header, payload and trailer all say their number. */
    private void send(Route route, int length) {
        send(route, length, TrafficClass.DATA);
    }

    private void send(Route route, int length, TrafficClass trafficClass) {
        int number = next++;
        transmit.reset();
        transmit.trafficClass(trafficClass);
        transmit.headerLength(8);
        transmit.header().putInt(0, number);
        for (int i = 0; i < 4; i++) {
            transmit.header().put(4 + i, (byte) number);
        }
        transmit.payload(memory, 0, length - 8 - Transmit.TRAILER_BYTES);
        transmit.trailer(number);
        transmit.route(route);
        batch.send(transmit);
    }

    @Test
    void neighboursOfOneRouteAndLengthLeaveAsOne() {
        send(first, 100);
        send(first, 100);
        send(first, 60);
        send(second, 60);
        batch.flush();
        assertThat(pool[0].sent).containsExactly("segmented 0/100 1/100 2/60");
        assertThat(pool[1].sent).containsExactly("single 3/60");
    }

    @Test
    void nothingFollowsAShorterPacketAndNothingGrows() {
        send(first, 100);
        send(first, 60);
        send(first, 60);
        send(first, 61);
        batch.flush();
        assertThat(pool[0].sent).containsExactly("segmented 0/100 1/60", "single 2/60", "single 3/61");
    }

    @Test
    void anAnswerLeavesBeforeTheReport() {
        send(first, 60, TrafficClass.CONTROL);
        send(second, 100);
        batch.flush();
        send(first, 61, TrafficClass.CONTROL);
        send(second, 100);
        batch.flush();
        assertThat(inOrder).containsExactly("single 1/100", "single 0/60", "single 3/100", "single 2/61");
    }

    @Test
    void oneSendOfDataLeavesBeforeReportsAndNoMore() {
        Route service = new Route(0, Route.SERVICE, PEER);
        send(service, 60, TrafficClass.CONTROL);
        send(first, 100);
        send(second, 100);
        batch.flush();
        assertThat(inOrder).containsExactly("single 1/100", "single 0/60", "single 2/100");
    }

    @Test
    void muchDataLeavesAfterReports() {
        send(first, 60, TrafficClass.CONTROL);
        for (int i = 0; i < 5; i++) {
            send(second, 4200);
        }
        batch.flush();
        assertThat(inOrder).first().isEqualTo("single 0/60");
    }

    @Test
    void nothingIsSentBeforeTheEndOfThePass() {
        send(first, 100);
        send(second, 100);
        assertThat(pool[0].sent).isEmpty();
        assertThat(pool[1].sent).isEmpty();
    }

    @Test
    void theServiceSocketSendsWhatHasNoEntropy() {
        send(new Route(0, Route.SERVICE, PEER), 100);
        batch.flush();
        assertThat(service.sent).containsExactly("single 0/100");
    }

    @Test
    void aRunHasAtMost128Packets() {
        for (int i = 0; i < 130; i++) {
            send(first, 40);
        }
        batch.flush();
        assertThat(pool[0].sent).hasSize(2);
        assertThat(pool[0].sent.get(0).split(" ")).hasSize(1 + SendBatch.RUN_PACKETS_MAX);
        assertThat(pool[0].sent.get(1)).isEqualTo("segmented 128/40 129/40");
    }

    @Test
    void aRunHasAtMost65000Bytes() {
        for (int i = 0; i < 16; i++) {
            send(first, 4200);
        }
        batch.flush();
        assertThat(pool[0].sent.get(0).split(" ")).hasSize(1 + 15);
        assertThat(pool[0].sent.get(1)).isEqualTo("single 15/4200");
    }

    @Test
    void aFullBatchHasNoRoomUntilItIsFlushedAndThenTakesMore() {
        int packets = 0;
        while (batch.planesWithRoom() != 0) {
            send(first, 4200);
            packets++;
        }
        assertThat(packets).isEqualTo((SendBatch.PASS_BYTES_MAX + 4199) / 4200);
        batch.flush();
        assertThat(batch.takesMore()).isTrue();
        assertThat(batch.takesMore()).as("asked twice").isFalse();
        assertThat(batch.planesWithRoom()).isEqualTo(1);
    }

    @Test
    void smallPacketsFillABatchByTheirNumber() {
        int packets = 0;
        while (batch.planesWithRoom() != 0) {
            send(first, 64);
            packets++;
        }
        assertThat(packets).isEqualTo(SendBatch.PASS_PACKETS_MAX);
    }

    @Test
    void aFullSocketTakesItsPlaneOutUntilItHasDrained() {
        pool[0].isFull = true;
        send(first, 100);
        send(first, 100);
        send(second, 100);
        batch.flush();
        assertThat(batch.isBlocked()).isTrue();
        assertThat(batch.planesWithRoom()).isZero();
        assertThat(batch.takesMore())
                .as("no use in asking before it has drained")
                .isFalse();
        assertThat(wakeUps).isEmpty();
        pool[0].drain();
        assertThat(wakeUps).containsExactly("room");
        assertThat(batch.isBlocked()).isFalse();
        assertThat(batch.planesWithRoom()).isEqualTo(1);
        assertThat(pool[0].sent).containsExactly("segmented 0/100 1/100");
    }

    @Test
    void memoryIsReusedOnlyWhenItsPacketsHaveLeft() {
        pool[0].isFull = true;
        for (int i = 0; i < 10; i++) {
            send(first, 4200);
        }
        batch.flush();
        for (int i = 0; i < 10; i++) {
            send(second, 4200);
        }
        batch.flush();
        pool[0].drain();
        assertThat(pool[0].sent.get(0)).startsWith("segmented 0/4200 1/4200");
        assertThat(pool[1].sent.get(0)).startsWith("segmented 10/4200 11/4200");
    }

    @Test
    void socketsThatNeverDrainDoNotEatMemoryWithoutBound() {
        pool[0].isFull = true;
        int packets = 0;
        for (int pass = 0; pass < 100; pass++) {
            while (packets < 100_000 && batch.planesWithRoom() != 0) {
                send(first, 4200);
                packets++;
            }
            batch.flush();
        }
        assertThat(packets).isLessThan(2000);
        pool[0].drain();
        assertThat(batch.planesWithRoom()).isEqualTo(1);
    }

    @Test
    void aRefusedSegmentedSendIsRepeatedPacketByPacketAndNeverTriedAgain() {
        pool[0].failSegmentedFrom = 1;
        send(first, 100);
        send(first, 100);
        send(first, 60);
        batch.flush();
        send(first, 100);
        send(first, 100);
        batch.flush();
        assertThat(pool[0].sent)
                .containsExactly("single 0/100", "single 1/100", "single 2/60", "single 3/100", "single 4/100");
        assertThat(pool[0].segmentedSends).isEqualTo(1);
        assertThat(tally.snapshot().fallbacks()).isEqualTo(1);
        assertThat(tally.snapshot().failedPackets()).isZero();
    }

    @Test
    void theThousandthSegmentedSendMayBeTheFirstToFail() {
        pool[0].failSegmentedFrom = 1000;
        for (int i = 0; i < 1001; i++) {
            send(first, 100);
            send(first, 100);
            batch.flush();
        }
        assertThat(pool[0].sent).hasSize(999 + 4);
        assertThat(pool[0].sent.subList(999, 1003))
                .containsExactly("single 1998/100", "single 1999/100", "single 2000/100", "single 2001/100");
    }

    @Test
    void otherSocketsKeepTheirSegmentedSends() {
        pool[0].failSegmentedFrom = 1;
        pool[0].error = EMSGSIZE;
        for (Route route : List.of(first, second)) {
            send(route, 100);
            send(route, 100);
        }
        batch.flush();
        assertThat(pool[1].sent).containsExactly("segmented 2/100 3/100");
    }

    @Test
    void severalRunsThatFailInOnePassAreAllRepeated() {
        pool[0].failSegmentedFrom = 1;
        send(first, 100);
        send(first, 100);
        send(second, 100);
        send(first, 90);
        send(first, 90);
        batch.flush();
        assertThat(pool[0].sent).containsExactly("single 0/100", "single 1/100", "single 3/90", "single 4/90");
        assertThat(tally.snapshot().fallbacks()).isEqualTo(1);
    }

    @Test
    void whatAFilterRefusesIsLostAndCountedAndSegmentedSendsStay() {
        pool[0].failSegmentedFrom = 1;
        pool[0].failSinglesFrom = 1;
        pool[0].error = EPERM;
        send(first, 100);
        send(first, 100);
        send(first, 100);
        batch.flush();
        send(first, 100);
        batch.flush();
        pool[0].failSegmentedFrom = Integer.MAX_VALUE;
        send(first, 100);
        send(first, 100);
        batch.flush();
        assertThat(pool[0].sent).containsExactly("segmented 4/100 5/100");
        assertThat(tally.snapshot().failedPackets()).isEqualTo(4);
        assertThat(tally.snapshot().fallbacks()).isZero();
    }

    @Test
    void whatIsSentIsCounted() {
        send(first, 100);
        send(first, 100);
        send(second, 60);
        assertThat(tally.snapshot().packets())
                .as("published at the end of the pass")
                .isZero();
        batch.flush();
        assertThat(tally.snapshot()).isEqualTo(new SendStatistics(3, 260, 2, 1, 2, 0, 0));
    }

    @Test
    void aClosedBatchTakesNothing() {
        batch.close();
        assertThat(batch.planesWithRoom()).isZero();
        send(first, 100);
        batch.flush();
        assertThat(pool[0].sent).isEmpty();
        assertThat(batch.takesMore()).isFalse();
    }
}
