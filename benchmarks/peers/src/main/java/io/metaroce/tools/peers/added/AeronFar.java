package io.metaroce.tools.peers.added;

import io.aeron.ExclusivePublication;
import io.aeron.Subscription;
import io.aeron.logbuffer.FragmentHandler;
import io.aeron.logbuffer.Header;
import io.metaroce.tools.peers.Peer;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Counts what arrives in one stream without looking at it, and sends back what comes in another. A byte alone among
 * what is counted asks for a byte in answer. The first question tells where answers go.
 */
final class AeronFar implements Peer.Receiver {
    static final int MARK_BYTES = 1;
    private static final int FRAGMENTS = 256;
    private static final long PATIENCE_S = 60;

    private final AeronLoop loop;
    private final AtomicLong counted = new AtomicLong();
    private final CompletableFuture<String> address = new CompletableFuture<>();
    private final ArrayDeque<Integer> owed = new ArrayDeque<>(); // answers by size
    private final FragmentHandler counts = this::count;
    private final FragmentHandler answers = this::answer;
    private final UnsafeBuffer answer = new UnsafeBuffer(new byte[Peer.SMALL_BYTES]);
    private String answerTo = "";
    private @Nullable ExclusivePublication back;

    AeronFar(AeronLoop loop, String host) {
        this.loop = loop;
        loop.execute(() -> {
            Subscription bulk = loop.aeron().addSubscription(AeronPeer.channel(host + ":0"), AeronPeer.COUNTED);
            Subscription questions = loop.aeron().addSubscription(AeronPeer.channel(host + ":0"), AeronPeer.QUESTIONS);
            loop.each(() -> bulk.poll(counts, FRAGMENTS) + questions.poll(answers, FRAGMENTS) + pay());
            boolean unused = address.complete(endpoint(bulk) + " " + endpoint(questions));
        });
    }

    private String endpoint(Subscription subscription) {
        String where = subscription.resolvedEndpoint();
        while (where == null) {
            int unused = loop.turnOnce();
            where = subscription.resolvedEndpoint();
        }
        return where;
    }

    private void count(DirectBuffer buffer, int offset, int length, Header header) {
        if (length == MARK_BYTES) {
            owed.add(MARK_BYTES);
        } else {
            counted.lazySet(counted.get() + length);
        }
    }

    private void answer(DirectBuffer buffer, int offset, int length, Header header) {
        if (length == Peer.SMALL_BYTES) {
            owed.add(length);
        } else {
            answerTo = buffer.getStringWithoutLengthAscii(offset, length);
        }
    }

    private int pay() {
        if (back == null) {
            if (answerTo.isEmpty()) {
                return 0;
            }
            back = loop.aeron().addExclusivePublication(AeronPeer.smallChannel(answerTo), AeronPeer.ANSWERS);
        }
        int paid = 0;
        while (!owed.isEmpty() && back.offer(answer, 0, owed.peek()) > 0) {
            int unused = owed.remove();
            paid++;
        }
        return paid;
    }

    @Override
    public String address() {
        return address.orTimeout(PATIENCE_S, TimeUnit.SECONDS).join();
    }

    @Override
    public long bytes() {
        return counted.get();
    }

    @Override
    public void close() {
        loop.close();
    }
}
