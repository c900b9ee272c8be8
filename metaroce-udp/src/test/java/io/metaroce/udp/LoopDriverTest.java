package io.metaroce.udp;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.datagram.Datagram;
import io.metaroce.num.Deadline;
import io.netty.buffer.Unpooled;
import io.netty.channel.DefaultEventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.socket.DatagramPacket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LoopDriverTest {
    private static final InetSocketAddress SOMEWHERE = new InetSocketAddress(InetAddress.getLoopbackAddress(), 4000);

    /** Writes down what it is asked, in order. */
    private static class Recorder implements PassWork {
        private final List<String> calls = new ArrayList<>();
        private long deadlineNs = Deadline.NEVER;
        private int passesWanted;

        @Override
        public void feed(long nowNs, Datagram datagram) {
            calls.add("feed " + datagram.length() + " at " + nowNs);
        }

        @Override
        public long quiesce(long nowNs) {
            calls.add("quiesce at " + nowNs);
            return deadlineNs;
        }

        @Override
        public boolean wantsPass() {
            return passesWanted-- > 0;
        }

        @Override
        public void failed(Throwable cause) {
            calls.add("failed: " + cause.getMessage());
        }
    }

    // The loop whose tasks run when the test says so; the sockets are channels of their own.
    private final EmbeddedChannel loop = new EmbeddedChannel();
    private final Recorder work = new Recorder();
    private long nowNs = 100;
    private final LoopDriver driver = new LoopDriver(loop.eventLoop(), () -> nowNs, work);

    private EmbeddedChannel socket(LoopDriver driver) {
        EmbeddedChannel channel = new EmbeddedChannel();
        OutboundSocket outbound = new OutboundSocket(
                channel, 0, OutboundSocket.Segmentation.OFF, new SendTally(), new SendTrouble(() -> 0));
        channel.pipeline()
                .addLast(new SocketHandler(driver, new ReceiveBatch(driver, 0, ReceiveBatch.Intake.ALL), outbound));
        return channel;
    }

    /** Runs what is due and what that asks for. */
    private void turn() {
        loop.runPendingTasks();
        loop.runPendingTasks();
    }

    private static DatagramPacket packet(int length) {
        return new DatagramPacket(Unpooled.directBuffer(length).writeZero(length), SOMEWHERE, SOMEWHERE);
    }

    @Test
    void aPassIsAPass() {
        EmbeddedChannel one = socket(driver);
        EmbeddedChannel two = socket(driver);
        one.writeInbound(packet(20), packet(21));
        nowNs = 150;
        two.writeInbound(packet(22));
        assertThat(work.calls).containsExactly("feed 20 at 100", "feed 21 at 100", "feed 22 at 150");
        turn();
        assertThat(work.calls).hasSize(4).endsWith("quiesce at 150");
        turn();
        assertThat(work.calls).hasSize(4);
    }

    @Test
    void everyDatagramHasAnInstantOfItsOwn() {
        LoopDriver ticking = new LoopDriver(loop.eventLoop(), () -> nowNs++, work);
        socket(ticking).writeInbound(packet(20), packet(21));
        turn();
        assertThat(work.calls).startsWith("feed 20 at 100", "feed 21 at 101", "quiesce at 102");
    }

    @Test
    void askingTwiceIsAskingOnce() {
        driver.requestPass();
        driver.ring();
        driver.requestPass();
        turn();
        assertThat(work.calls).containsExactly("quiesce at 100");
    }

    @Test
    void aDeadlineFires() {
        loop.freezeTime();
        work.deadlineNs = 100 + 5_000;
        driver.requestPass();
        turn();
        work.deadlineNs = Deadline.NEVER;
        loop.advanceTimeBy(4_999, TimeUnit.NANOSECONDS);
        turn();
        assertThat(work.calls).hasSize(1);
        nowNs = 100 + 5_000;
        loop.advanceTimeBy(1, TimeUnit.NANOSECONDS);
        turn();
        assertThat(work.calls).containsExactly("quiesce at 100", "quiesce at 5100");
        loop.advanceTimeBy(1, TimeUnit.HOURS);
        turn();
        assertThat(work.calls).hasSize(2);
    }

    @Test
    void anEarlierDeadlineReplacesALaterOneButNotTheOtherWayRound() {
        loop.freezeTime();
        work.deadlineNs = 100 + 5_000;
        driver.requestPass();
        turn();
        work.deadlineNs = 100 + 3_000;
        driver.requestPass();
        turn();
        work.deadlineNs = 100 + 9_000;
        driver.requestPass();
        turn();
        work.deadlineNs = Deadline.NEVER;
        loop.advanceTimeBy(3_000, TimeUnit.NANOSECONDS);
        turn();
        assertThat(work.calls).as("the timer armed for 3000").hasSize(4);
        loop.advanceTimeBy(1, TimeUnit.HOURS);
        turn();
        assertThat(work.calls).as("the one for 5000 was taken back").hasSize(4);
    }

    @Test
    void aFurtherPassBelongsToAnotherTurnOfTheLoop() {
        loop.freezeTime();
        work.passesWanted = 3;
        driver.requestPass();
        turn();
        int passes = work.calls.size();
        for (int turn = 0; turn < 10; turn++) {
            loop.advanceTimeBy(1, TimeUnit.NANOSECONDS);
            turn();
        }
        assertThat(work.calls).hasSize(4);
        assertThat(passes).as("not all in one turn").isLessThan(4);
    }

    @Test
    void aPassThatIsAskedForWithinAPassWaitsForTheNextTurn() {
        loop.freezeTime();
        AtomicInteger passes = new AtomicInteger();
        LoopDriver[] restless = new LoopDriver[1];
        restless[0] = new LoopDriver(loop.eventLoop(), () -> nowNs, new Recorder() {
            @Override
            public long quiesce(long at) {
                restless[0].requestPass();
                return passes.incrementAndGet() < 1000 ? Deadline.NEVER : at;
            }
        });
        restless[0].requestPass();
        turn();
        assertThat(passes.get()).as("not for ever in one turn").isLessThan(10);
        restless[0].stop();
    }

    @Test
    void aRingWithinAPassIsLeftToThePassThatAnswersIt() {
        loop.freezeTime();
        AtomicInteger passes = new AtomicInteger();
        LoopDriver[] ringing = new LoopDriver[1];
        ringing[0] = new LoopDriver(loop.eventLoop(), () -> nowNs, new Recorder() {
            @Override
            public long quiesce(long at) {
                ringing[0].ring();
                passes.incrementAndGet();
                return Deadline.NEVER;
            }

            @Override
            public boolean wantsPass() {
                return passes.get() == 1; // what was rung in the first is not answered yet
            }
        });
        ringing[0].requestPass();
        turn();
        turn();
        assertThat(passes.get()).isEqualTo(2);
        ringing[0].ring();
        turn();
        assertThat(passes.get()).as("outside a pass a ring asks for one").isEqualTo(3);
    }

    @Test
    void workThatThrowsIsReportedOnceAndNeverCalledAgain() {
        Recorder failing = new Recorder() {
            @Override
            public long quiesce(long at) {
                throw new IllegalStateException("out of order");
            }
        };
        LoopDriver other = new LoopDriver(loop.eventLoop(), () -> nowNs, failing);
        other.requestPass();
        turn();
        other.requestPass();
        other.ring();
        socket(other).writeInbound(packet(20));
        turn();
        assertThat(failing.calls).containsExactly("failed: out of order");
    }

    @Test
    void afterAStopNothingRuns() {
        loop.freezeTime();
        work.deadlineNs = 100 + 5_000;
        driver.requestPass();
        turn();
        driver.requestPass();
        driver.stop();
        driver.ring();
        loop.advanceTimeBy(1, TimeUnit.HOURS);
        turn();
        assertThat(work.calls).hasSize(1);
    }

    @Test
    void noRingOfAnyThreadIsLost() throws Exception {
        DefaultEventLoop real = new DefaultEventLoop();
        int threads = 3;
        int ringsEach = 20_000;
        AtomicInteger wishes = new AtomicInteger();
        CountDownLatch allSeen = new CountDownLatch(1);
        LoopDriver rung = new LoopDriver(real, System::nanoTime, new Recorder() {
            @Override
            public long quiesce(long at) {
                if (wishes.get() == threads * ringsEach) {
                    allSeen.countDown();
                }
                return Deadline.NEVER;
            }
        });
        List<Thread> ringers = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            Thread ringer = new Thread(() -> {
                for (int k = 0; k < ringsEach; k++) {
                    wishes.incrementAndGet();
                    rung.ring();
                }
            });
            ringers.add(ringer);
            ringer.start();
        }
        assertThat(allSeen.await(60, TimeUnit.SECONDS)).isTrue();
        for (Thread ringer : ringers) {
            ringer.join();
        }
        var unused = real.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }

    @Test
    void aDatagramIsLaidOverTheBytesOfTheSlice() {
        List<String> seen = new ArrayList<>();
        LoopDriver reading = new LoopDriver(loop.eventLoop(), () -> nowNs, new Recorder() {
            @Override
            public void feed(long at, Datagram datagram) {
                ByteBuffer bytes = datagram.buffer();
                StringBuilder text = new StringBuilder();
                for (int i = 0; i < datagram.length(); i++) {
                    text.append(bytes.get(datagram.offset() + i)).append(' ');
                }
                seen.add(text + "from " + datagram.source());
            }
        });
        var whole = Unpooled.directBuffer(16);
        for (int i = 0; i < 10; i++) {
            whole.writeByte(i);
        }
        EmbeddedChannel socket = socket(reading);
        socket.writeInbound(
                new DatagramPacket(whole.retainedSlice(0, 4), SOMEWHERE, SOMEWHERE),
                new DatagramPacket(whole.retainedSlice(4, 4), SOMEWHERE, SOMEWHERE),
                new DatagramPacket(whole.slice(8, 2), SOMEWHERE, SOMEWHERE));
        assertThat(seen)
                .containsExactly(
                        "0 1 2 3 from 127.0.0.1:4000", "4 5 6 7 from 127.0.0.1:4000", "8 9 from 127.0.0.1:4000");
        assertThat(whole.refCnt()).as("every slice was given back").isZero();
    }

    @Test
    void aSourcePortTakesOnlyRefusals() {
        EmbeddedChannel pool = new EmbeddedChannel();
        OutboundSocket outbound =
                new OutboundSocket(pool, 0, OutboundSocket.Segmentation.OFF, new SendTally(), new SendTrouble(() -> 0));
        pool.pipeline()
                .addLast(new SocketHandler(
                        driver, new ReceiveBatch(driver, 0, ReceiveBatch.Intake.STATELESS_REPLIES), outbound));
        DatagramPacket reset = packet(40);
        reset.content().setByte(ReceiveBatch.OPCODE_AT, ReceiveBatch.RESET);
        pool.writeInbound(packet(30), packet(1), reset);
        assertThat(work.calls).containsExactly("feed 40 at 100");
    }
}
