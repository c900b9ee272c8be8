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
 * told; the other half for answers still owed on streams that have failed. Most connections never read: there are no
 * places at first, and they are doubled up to that number.
 */
final class AnswerQueue {
    /** No place. */
    static final int NONE = -1;

    private static final int PLACES_AT_FIRST = 8;
    private static final byte[] NO_BYTES = new byte[0];
    private static final int[] NO_NUMBERS = new int[0];
    private static final long[] NO_LONGS = new long[0];
    private static final boolean[] NO_FLAGS = new boolean[0];
    private static final @Nullable Stream[] NO_STREAMS = new Stream[0];

    int[] tag = NO_NUMBERS;
    int[] rkey = NO_NUMBERS;
    int[] length = NO_NUMBERS; // to be read, unsigned; of an atomic: its size
    int[] written = NO_NUMBERS; // bytes of the response, unsigned
    int[] cut = NO_NUMBERS; // payload of the packets of its response, once the first one has left
    long[] address = NO_LONGS;
    long[] operandA = NO_LONGS;
    long[] operandB = NO_LONGS;
    byte[] operation = NO_BYTES;
    long[] original = NO_LONGS; // what an atomic has found
    private boolean[] isRead = NO_FLAGS;
    private boolean[] isLive = NO_FLAGS; // counts against the limit
    private boolean[] isQueued = NO_FLAGS; // executed, to be answered
    private @Nullable Stream[] stream = NO_STREAMS;
    private int[] next = NO_NUMBERS; // the next one of the stream, or of the free places
    private int[] first = NO_NUMBERS; // by stream
    private int[] last = NO_NUMBERS;
    private final StreamQueue ready = new StreamQueue(StreamQueue.Kind.ANSWERS);
    private final int streams;
    private final SendBudget budget;
    private final ConnectionPort port;
    private final int requestsMax;
    private int free = NONE;
    private int live;
    private @Bits(4) int burst;

    AnswerQueue(int streams, int requestsMax, SendBudget budget, ConnectionPort port) {
        this.requestsMax = requestsMax;
        this.budget = budget;
        this.port = port;
        this.streams = streams;
    }

    // ---------------------------------------------------------------- a request comes

    /** Remembers a request that has come; {@link #NONE} when the peer asks for more than is served at once. */
    int keep(Stream of, PacketView packet) {
        // R-READ-004: more than MAX_READS at once is refused.
        if (live == requestsMax || (free == NONE && !widen())) {
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

    /** Makes room for more; false when there is as much as there may be. */
    private boolean widen() {
        int before = tag.length;
        int places = Math.min(Math.max(2 * before, PLACES_AT_FIRST), 2 * requestsMax);
        if (places == before) {
            return false;
        }
        if (before == 0) {
            first = new int[streams];
            last = new int[streams];
            Arrays.fill(first, NONE);
            Arrays.fill(last, NONE);
        }
        tag = Arrays.copyOf(tag, places);
        rkey = Arrays.copyOf(rkey, places);
        length = Arrays.copyOf(length, places);
        written = Arrays.copyOf(written, places);
        cut = Arrays.copyOf(cut, places);
        address = Arrays.copyOf(address, places);
        operandA = Arrays.copyOf(operandA, places);
        operandB = Arrays.copyOf(operandB, places);
        operation = Arrays.copyOf(operation, places);
        original = Arrays.copyOf(original, places);
        isRead = Arrays.copyOf(isRead, places);
        isLive = Arrays.copyOf(isLive, places);
        isQueued = Arrays.copyOf(isQueued, places);
        stream = Arrays.copyOf(stream, places);
        next = Arrays.copyOf(next, places);
        for (int at = places - 1; at >= before; at--) {
            next[at] = free;
            free = at;
        }
        return true;
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
