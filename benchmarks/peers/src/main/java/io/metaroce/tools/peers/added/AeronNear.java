package io.metaroce.tools.peers.added;

import io.aeron.ExclusivePublication;
import io.aeron.Subscription;
import io.aeron.logbuffer.FragmentHandler;
import io.aeron.logbuffer.Header;
import io.aeron.protocol.DataHeaderFlyweight;
import io.metaroce.tools.peers.Peer;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/** Offers messages as long as the time lasts, then a byte alone, and is content when that is answered. */
final class AeronNear implements Peer.Sender {
    private static final int BULK_BYTES = 1 << 20;
    private static final int OFFERS = 64; // in a row
    private static final int FRAGMENTS = 16;
    private static final long PATIENCE_MS = 60_000;

    /** What is being done. All but the last wait for nothing but room. */
    private enum Step {
        CONNECT,
        REST,
        SEND,
        MARK,
        ASK,
        WAIT
    }

    private final AeronLoop loop;
    private final UnsafeBuffer message;
    private final UnsafeBuffer hello;
    private final int bulkBytes;
    private final FragmentHandler answers = this::answered;
    private @Nullable ExclusivePublication bulk;
    private @Nullable ExclusivePublication questions;
    private @Nullable Subscription back;
    private CountDownLatch over = new CountDownLatch(1);
    private Histogram half = new Histogram(3);
    private Step step = Step.CONNECT;
    private int size;
    private long endNs;
    private long startNs;

    AeronNear(AeronLoop loop, String host, String remote, int mtuBytes) {
        this.loop = loop;
        int packet = mtuBytes - DataHeaderFlyweight.HEADER_LENGTH;
        bulkBytes = BULK_BYTES / packet * packet; // full packets only
        message = new UnsafeBuffer(new byte[bulkBytes]);
        hello = new UnsafeBuffer(new byte[Peer.SMALL_BYTES - 1]);
        CountDownLatch connected = over;
        String[] endpoints = remote.split(" ", -1);
        loop.execute(() -> {
            back = loop.aeron().addSubscription(AeronPeer.smallChannel(host + ":0"), AeronPeer.ANSWERS);
            bulk = loop.aeron().addExclusivePublication(AeronPeer.channel(endpoints[0]), AeronPeer.COUNTED);
            questions = loop.aeron().addExclusivePublication(AeronPeer.smallChannel(endpoints[1]), AeronPeer.QUESTIONS);
            loop.each(this::turn);
        });
        await(connected, 0);
    }

    @Override
    public void bulk(Duration time) throws IOException {
        run(time, Step.SEND, bulkBytes);
    }

    @Override
    public void small(Duration time) throws IOException {
        run(time, Step.SEND, Peer.SMALL_BYTES);
    }

    @Override
    public Histogram pingPong(Duration time) throws IOException {
        half = new Histogram(3);
        run(time, Step.ASK, Peer.SMALL_BYTES);
        return half;
    }

    private void run(Duration time, Step first, int bytes) throws IOException {
        CountDownLatch latch = new CountDownLatch(1);
        loop.execute(() -> {
            over = latch;
            size = bytes;
            startNs = System.nanoTime();
            endNs = startNs + time.toNanos();
            step = first;
        });
        if (!await(latch, time.toMillis())) {
            throw new IOException("nothing arrives any more");
        }
    }

    private static boolean await(CountDownLatch latch, long ms) {
        try {
            return latch.await(ms + PATIENCE_MS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private int turn() {
        if (bulk == null || questions == null || back == null) {
            return 0;
        }
        int done = back.poll(answers, FRAGMENTS) + advance(bulk, questions, back);
        return step == Step.REST ? done : Math.max(done, 1); // whoever waits within a turn is at work
    }

    private int advance(ExclusivePublication counted, ExclusivePublication asked, Subscription answered) {
        return switch (step) {
            case CONNECT -> connect(counted, asked, answered);
            case SEND -> send(counted);
            case MARK -> goOn(counted.offer(message, 0, AeronFar.MARK_BYTES) > 0, Step.WAIT);
            case ASK -> ask(asked);
            case REST, WAIT -> 0;
        };
    }

    /** Says where answers go until an answer's stream is there. */
    private int connect(ExclusivePublication counted, ExclusivePublication asked, Subscription answered) {
        String here = answered.resolvedEndpoint();
        if (here == null || !counted.isConnected() || !asked.isConnected()) {
            return 0;
        }
        if (answered.isConnected()) {
            over.countDown();
            return goOn(true, Step.REST);
        }
        if (startNs == 0 || System.nanoTime() - startNs > TimeUnit.MILLISECONDS.toNanos(100)) {
            startNs = System.nanoTime();
            return asked.offer(hello, 0, hello.putStringWithoutLengthAscii(0, here)) > 0 ? 1 : 0;
        }
        return 0;
    }

    private int send(ExclusivePublication counted) {
        int sent = 0;
        while (sent < OFFERS && counted.offer(message, 0, size) > 0) {
            sent++;
        }
        return sent + goOn(System.nanoTime() >= endNs, Step.MARK);
    }

    private int ask(ExclusivePublication asked) {
        startNs = System.nanoTime();
        return goOn(asked.offer(message, 0, Peer.SMALL_BYTES) > 0, Step.WAIT);
    }

    private int goOn(boolean does, Step next) {
        if (does) {
            step = next;
        }
        return does ? 1 : 0;
    }

    private void answered(DirectBuffer buffer, int offset, int length, Header header) {
        long nowNs = System.nanoTime();
        if (length == Peer.SMALL_BYTES) {
            half.recordValue((nowNs - startNs) / 2);
        }
        if (length == Peer.SMALL_BYTES && nowNs < endNs) {
            step = Step.ASK;
        } else {
            step = Step.REST;
            over.countDown();
        }
    }

    @Override
    public void close() {
        loop.close();
    }
}
