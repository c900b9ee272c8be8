package io.metaroce.tools.perf;

import io.metaroce.verbs.MemoryRegion;
import io.metaroce.verbs.QueuePair;
import io.metaroce.verbs.SendFlag;
import java.nio.ByteOrder;

/** Posts the messages of a test, one after the other, and compares what they bring back. */
final class Outbox {
    private final Side side;
    private final PerfKind kind;
    private final boolean validates;
    private final int slots;
    private final long stride;
    private final MemoryRegion text;
    private final MemoryRegion fetched; // where what is read arrives; of no use for others
    private final long[] next; // per queue pair: number of the next message
    private int rkey;
    private long address;
    private long verifiedBytes;
    private long wrongMessages;

    Outbox(Side side, Terms terms, MemoryRegion text, MemoryRegion fetched) {
        this.side = side;
        this.kind = terms.kind();
        this.validates = terms.validate();
        this.slots = terms.slots();
        this.stride = Math.max(terms.size(), 1);
        this.text = text;
        this.fetched = fetched;
        this.next = new long[terms.queuePairs()];
    }

    /** Where the peer's memory is. */
    Outbox towards(int remoteKey, long remoteAddress) {
        rkey = remoteKey;
        address = remoteAddress;
        return this;
    }

    /** Posts the next message of a queue pair, which tells when it is complete; false when its queue is full. */
    boolean post(int qp, long size) {
        return post(qp, size, true);
    }

    /** The same; {@code signalled} says whether its completion is told. */
    boolean post(int qp, long size, boolean signalled) {
        long n = next[qp];
        QueuePair to = side.data(qp);
        int flags = signalled ? SendFlag.mask(SendFlag.SIGNALED) : 0;
        long from = validates || !kind.isBandwidth() ? Pattern.offset(n) : 0;
        boolean announced = validates || !kind.isBandwidth();
        boolean posted = switch (kind.operation()) {
            case SEND -> to.postSend(n, text.lkey(), from, (int) size, flags);
            case WRITE ->
                announced
                        ? to.postWriteImmediate(
                                n, text.lkey(), from, (int) size, address + at(qp, n), rkey, (int) n, flags)
                        : to.postWrite(n, text.lkey(), from, (int) size, address + at(qp, n), rkey, flags);
            case READ -> to.postRead(n, fetched.lkey(), at(qp, n), (int) size, address + from, rkey, flags);
            case ATOMIC -> to.postFetchAndAdd(n, fetched.lkey(), at(qp, n), address, rkey, 1, flags);
        };
        if (posted) {
            next[qp]++;
        }
        return posted;
    }

    /** A message is complete: what it brought is compared. */
    void completed(int qp, long n, long size) {
        if (kind == PerfKind.ATOMIC_LAT) {
            // Each sees the sum of all before it, so one that counted twice, or not at all, shows.
            long seen = fetched.slice(at(qp, n), Long.BYTES)
                    .order(ByteOrder.nativeOrder())
                    .getLong();
            note(seen == n, Long.BYTES);
        } else if (kind.operation() == PerfKind.Operation.READ && (validates || !kind.isBandwidth())) {
            note(Pattern.matches(text, fetched, at(qp, n), (int) size, n), size);
        }
    }

    long verifiedBytes() {
        return verifiedBytes;
    }

    long wrongMessages() {
        return wrongMessages;
    }

    private void note(boolean right, long bytes) {
        verifiedBytes += right ? bytes : 0;
        wrongMessages += right ? 0 : 1;
    }

    private long at(int qp, long n) {
        return (qp * (long) slots + n % slots) * stride;
    }
}
