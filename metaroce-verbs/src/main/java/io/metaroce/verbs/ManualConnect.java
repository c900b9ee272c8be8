package io.metaroce.verbs;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.TimeoutException;

/**
 * Connects two queue pairs whose tuples were exchanged by other means. Both sides call; the one with the smaller tuple
 * asks, the other one answers, and each proves that it knows both tuples.
 */
final class ManualConnect {
    /** Services that stand for queue pairs; far from those that people choose. */
    private static final int SERVICES = 0x4D000000;

    private static final int BITS_24 = (1 << 24) - 1;

    private final Device device;
    private final QueuePair own;
    private final QpTuple mine;
    private final QpTuple peer;

    ManualConnect(QueuePair own, QpTuple peer) {
        this.device = own.domain().device();
        this.own = own;
        this.mine = own.tuple();
        this.peer = peer;
    }

    Connection connect(Duration timeout) throws VerbsConnectException {
        return asks() ? ask(timeout) : answer(timeout);
    }

    private boolean asks() {
        int order = mine.address().toString().compareTo(peer.address().toString());
        order = order == 0 ? Integer.compare(mine.qpNumber(), peer.qpNumber()) : order;
        if (order == 0) {
            throw new VerbsException(
                    own.toString(),
                    "connect to itself",
                    "a tuple of the other side is needed",
                    "exchange tuples first");
        }
        return order < 0;
    }

    private Connection ask(Duration timeout) throws VerbsConnectException {
        return device.connector()
                .withPrivateData(proof(mine, peer))
                .withTimeout(timeout)
                .withRetries(new RetryPolicy(Duration.ofMillis(5), Duration.ofMillis(100), timeout))
                .connect(peer.address(), SERVICES | peer.qpNumber(), own);
    }

    private Connection answer(Duration timeout) throws VerbsConnectException {
        try (Listener listener = device.listen(SERVICES | mine.qpNumber())) {
            long endNs = device.engine().nowNs(own) + Durations.toNanos(timeout);
            while (true) {
                long leftNs = Math.max(0, endNs - device.engine().nowNs(own));
                ConnectionRequest request = listener.accept(Duration.ofNanos(leftNs));
                if (Arrays.equals(request.privateData(), proof(peer, mine))) {
                    return request.accept(proof(mine, peer), Duration.ofNanos(leftNs), own);
                }
                request.reject();
            }
        } catch (TimeoutException e) {
            throw new VerbsConnectException(
                    ConnectFailure.TIMED_OUT,
                    peer.address(),
                    timeout,
                    null,
                    new byte[0],
                    "the peer did not ask; it must connect with the tuple " + mine);
        }
    }

    private static byte[] proof(QpTuple first, QpTuple second) {
        return ByteBuffer.allocate(16)
                .putInt(first.qpNumber())
                .putInt(first.psn())
                .putInt(second.qpNumber())
                .putInt(second.psn() & BITS_24)
                .array();
    }
}
