package io.metaroce.message;

import io.metaroce.connection.ConnectionPort;
import io.metaroce.num.Bits;
import io.metaroce.param.StreamError;
import io.metaroce.wire.AtomicRequestHeader;
import io.metaroce.wire.Opcode;
import io.metaroce.wire.PacketView;
import io.metaroce.wire.ReadRequestHeader;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The Reads and atomics of the peer, from their arrival until the last packet of their response has been written. Each
 * stream is answered in order, the streams in turn. Half of the places are for live streams, as many as the peer was
 * told; the other half for answers still owed on streams that have failed.
 */
final class AnswerQueue {
    /** No place. */
    static final int NONE = -1;

    final int[] tag;
    final int[] rkey;
    final int[] length; // to be read, unsigned; of an atomic: its size
    final int[] written; // bytes of the response, unsigned
    final long[] address;
    final long[] operandA;
    final long[] operandB;
    final byte[] operation;
    final long[] original; // what an atomic has found
    private final boolean[] isRead;
    private final boolean[] isLive; // counts against the limit
    private final boolean[] isQueued; // executed, to be answered
    private final @Nullable Stream[] stream;
    private final int[] next; // the next one of the stream, or of the free places
    private final int[] first; // by stream
    private final int[] last;
    private final StreamQueue ready;
    private final SendBudget budget;
    private final ConnectionPort port;
    private final int requestsMax;
    private int free;
    private int live;
    private @Bits(4) int burst;

    AnswerQueue(int streams, int requestsMax, SendBudget budget, ConnectionPort port) {
        int places = 2 * requestsMax;
        this.requestsMax = requestsMax;
        this.budget = budget;
        this.port = port;
        tag = new int[places];
        rkey = new int[places];
        length = new int[places];
        written = new int[places];
        address = new long[places];
        operandA = new long[places];
        operandB = new long[places];
        operation = new byte[places];
        original = new long[places];
        isRead = new boolean[places];
        isLive = new boolean[places];
        isQueued = new boolean[places];
        stream = new Stream[places];
        next = new int[places];
        for (int at = 0; at < places; at++) {
            next[at] = at + 1 < places ? at + 1 : NONE;
        }
        free = places == 0 ? NONE : 0;
        first = new int[streams];
        last = new int[streams];
        Arrays.fill(first, NONE);
        Arrays.fill(last, NONE);
        ready = new StreamQueue(streams);
    }

    // ---------------------------------------------------------------- a request comes

    /** Remembers a request that has come; {@link #NONE} when the peer asks for more than is served at once. */
    int keep(Stream of, PacketView packet) {
        // R-READ-004: more than MAX_READS at once is refused.
        if (live == requestsMax || free == NONE) {
            return NONE;
        }
        int at = free;
        free = next[at];
        next[at] = NONE;
        stream[at] = of;
        isLive[at] = true;
        isQueued[at] = false;
        live++;
        written[at] = 0;
        if (packet.opcode() == Opcode.READ_REQ) {
            keepRead(at, packet.readRequest());
        } else {
            keepAtomic(at, packet.atomicRequest());
        }
        return at;
    }

    private void keepRead(int at, ReadRequestHeader request) {
        isRead[at] = true;
        tag[at] = request.rdTag();
        rkey[at] = request.rkey();
        length[at] = request.length();
        address[at] = request.remoteAddress();
    }

    private void keepAtomic(int at, AtomicRequestHeader request) {
        isRead[at] = false;
        tag[at] = request.atTag();
        rkey[at] = request.rkey();
        length[at] = request.size();
        address[at] = request.remoteAddress();
        operation[at] = (byte) request.op();
        operandA[at] = request.operandA();
        operandB[at] = request.operandB();
    }

    /** The request has been executed and is to be answered. */
    void answer(int at) {
        Stream of = stream(at);
        isQueued[at] = true;
        if (first[of.id] == NONE) {
            first[of.id] = at;
        } else {
            next[last[of.id]] = at;
        }
        last[of.id] = at;
        budget.addQueued(unwritten(at));
        ready.add(of);
        port.sendWanted();
    }

    // ---------------------------------------------------------------- a response leaves

    /** The request whose turn it is to be answered, or {@link #NONE}. */
    int first() {
        Stream of = ready.first();
        return of == null ? NONE : first[of.id];
    }

    /** A packet of the first response has been written, with so many bytes of what was read. */
    void wrote(int at, int bytes) {
        written[at] += bytes;
        budget.addQueued(-bytes);
        burst++;
        if (burst >= ReadyStreams.BURST_PACKETS) {
            burst = 0;
            ready.rotate();
        }
    }

    /** The first response of a stream has left in full, or ended with a status. */
    void finish(int at) {
        Stream of = stream(at);
        assert first[of.id] == at : "a stream is answered in order";
        budget.addQueued(-unwritten(at));
        first[of.id] = next[at];
        boolean isIdle = first[of.id] == NONE;
        release(at);
        if (isIdle) {
            last[of.id] = NONE;
            ready.remove(of);
            burst = 0;
        }
    }

    Stream stream(int at) {
        return Objects.requireNonNull(stream[at], "no request has this place");
    }

    boolean isRead(int at) {
        return isRead[at];
    }

    /**
     * The stream has ended: what was not executed never will be; what was is still answered, or, if the stream was
     * given up, ends with a status.
     */
    void end(Stream of) {
        for (int at = 0; at < stream.length; at++) {
            if (stream[at] == of) {
                live -= isLive[at] ? 1 : 0;
                isLive[at] = false;
                if (!isQueued[at]) {
                    release(at);
                }
            }
        }
    }

    /** Why nothing more of the response may be written, as far as its stream is concerned. */
    static StreamError refusal(Stream of) {
        return of.report.error() == StreamError.ABORT ? StreamError.ABORT : StreamError.NONE;
    }

    private long unwritten(int at) {
        return isRead[at] ? Integer.toUnsignedLong(length[at]) - Integer.toUnsignedLong(written[at]) : 0;
    }

    private void release(int at) {
        live -= isLive[at] ? 1 : 0;
        stream[at] = null;
        next[at] = free;
        free = at;
    }
}
