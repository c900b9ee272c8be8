package io.metaroce.tools.perf;

import io.metaroce.verbs.MemoryRegion;
import io.metaroce.verbs.WorkCompletion;

/** What arrives: receives posted, messages counted and compared, receives posted again. */
final class Inbox {
    private final Side side;
    private final PerfKind kind;
    private final Terms terms;
    private final long stride;
    private final int receives;
    private final MemoryRegion received;
    private final MemoryRegion text;
    private final long[] next; // per queue pair: number of the message received next
    private long messages;
    private long verifiedBytes;
    private long wrongMessages;

    Inbox(Side side, Terms terms, MemoryRegion received, MemoryRegion text) {
        this.side = side;
        this.kind = terms.kind();
        this.terms = terms;
        this.stride = Math.max(terms.size(), 1);
        this.receives = Math.min(terms.slots(), Side.RECEIVE_DEPTH_MAX);
        this.received = received;
        this.text = text;
        this.next = new long[terms.queuePairs()];
    }

    /** Posts a receive for each place. */
    void postAll() {
        for (int qp = 0; qp < terms.queuePairs(); qp++) {
            for (int place = 0; place < receives; place++) {
                post(qp, side.sharesReceives() ? qp * receives + place : place);
            }
        }
    }

    /** A receive has completed. */
    void onMessage(int qp, WorkCompletion done) {
        long n = next[qp]++;
        int place = (int) done.wrId();
        messages++;
        if (terms.validate() || !kind.isBandwidth()) {
            check(qp, place, n, done);
        }
        post(qp, place);
    }

    long messages() {
        return messages;
    }

    long verifiedBytes() {
        return verifiedBytes;
    }

    long wrongMessages() {
        return wrongMessages;
    }

    private void check(int qp, int place, long n, WorkCompletion done) {
        int length = (int) done.byteLength();
        boolean numberRight = !done.hasImmediate() || done.immediate() == (int) n;
        long at = kind.isWrite() ? at(qp, n % terms.slots()) : receiveAt(qp, place);
        if (numberRight && Pattern.matches(text, received, at, length, n)) {
            verifiedBytes += length;
        } else {
            wrongMessages++;
        }
    }

    private void post(int qp, int place) {
        int length = kind.isWrite() ? 0 : (int) terms.size();
        if (!side.postReceive(qp, place, received.lkey(), receiveAt(qp, place), length)) {
            throw new IllegalStateException("the receive queue is full although a receive has just completed");
        }
    }

    /** Places of shared receives are numbered through all queue pairs. */
    private long receiveAt(int qp, long place) {
        return side.sharesReceives() ? place * stride : at(qp, place);
    }

    private long at(int qp, long place) {
        return (qp * (long) terms.slots() + place) * stride;
    }
}
