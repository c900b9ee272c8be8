package io.metaroce.message;

import io.metaroce.datagram.Transmit;
import io.metaroce.memory.Access;
import io.metaroce.memory.PayloadWindow;
import io.metaroce.memory.Placement;
import io.metaroce.memory.PlacementFault;
import io.metaroce.num.Minifloat;
import io.metaroce.param.StreamError;
import io.metaroce.trace.Counter;
import io.metaroce.trace.Counters;
import io.metaroce.wire.AtomicResponseHeader;
import io.metaroce.wire.BaseHeader;
import io.metaroce.wire.Opcode;
import io.metaroce.wire.ReadResponseHeader;
import io.metaroce.wire.StatusResponseHeader;
import java.nio.ByteBuffer;

/** Turns executed Reads and atomics of the peer into response packets, and writes these again. */
final class Answerer {
    private final SentFragments sent;
    private final Placement placement;
    private final PayloadWindow window;
    private final Counters counters;
    private final BaseHeader base = new BaseHeader();
    private final ReadResponseHeader readResponse = new ReadResponseHeader();
    private final AtomicResponseHeader atomicResponse = new AtomicResponseHeader();
    private final StatusResponseHeader statusResponse = new StatusResponseHeader();

    // What peekLength has found.
    private int pickedOpcode;
    private int pickedBytes;
    private int pickedCut;
    private StreamError pickedError = StreamError.NONE;

    Answerer(SentFragments sent, Placement placement, PayloadWindow window, Counters counters) {
        this.sent = sent;
        this.placement = placement;
        this.window = window;
        this.counters = counters;
    }

    /** Length of the next response packet, trailer included, or 0. */
    int peekLength(Streams streams) {
        AnswerQueue answers = streams.answers;
        int at = answers == null ? AnswerQueue.NONE : answers.first();
        if (answers == null || at == AnswerQueue.NONE || !streams.terms.isStarted()) {
            return 0;
        }
        pickedError = AnswerQueue.refusal(answers.stream(at));
        pickedBytes = 0;
        if (pickedError == StreamError.NONE && answers.isRead(at)) {
            if (answers.written[at] == 0 && streams.terms.holds(Integer.toUnsignedLong(answers.length[at]))) {
                return 0;
            }
            // R-HDR-014: one size for the whole response.
            pickedCut = answers.written[at] == 0 ? streams.terms.cutBytes() : answers.cut[at];
            pickedBytes = Segmenter.fragmentLength(answers.length[at], answers.written[at], pickedCut);
            pickedError = error(streams, answers, at);
        }
        if (pickedError != StreamError.NONE) {
            // R-READ-005: what cannot be finished ends with a status, never in silence.
            pickedBytes = 0;
            pickedOpcode = Opcode.STATUS_RESP;
        } else {
            pickedOpcode = answers.isRead(at) ? Opcode.READ_RESP : Opcode.ATOMIC_RESP;
        }
        return Opcode.headerLength(pickedOpcode) + pickedBytes + Transmit.TRAILER_BYTES;
    }

    private StreamError error(Streams streams, AnswerQueue answers, int at) {
        if (streams.terms.isTooLong(pickedBytes)) {
            return StreamError.OP_ERR;
        }
        return readable(answers, at) ? StreamError.NONE : StreamError.REM_ACCESS;
    }

    private boolean readable(AnswerQueue answers, int at) {
        long address = answers.address[at] + Integer.toUnsignedLong(answers.written[at]);
        int domain = answers.stream(at).domain;
        return placement.checkRemote(domain, answers.rkey[at], address, pickedBytes, Access.REMOTE_READ)
                == PlacementFault.NONE;
    }

    /** Writes the packet that {@link #peekLength} has found. */
    void fill(Streams streams, int slot, Transmit out) {
        AnswerQueue answers = streams.answers();
        int at = answers.first();
        SentFragment fragment = sent.at(slot);
        remember(answers, fragment, at);
        answers.cut[at] = pickedCut;
        answers.wrote(at, pickedBytes);
        boolean isLast = pickedOpcode != Opcode.READ_RESP || answers.written[at] == answers.length[at];
        if (isLast) {
            answers.finish(at);
        }
        write(streams, fragment, out);
    }

    private void remember(AnswerQueue answers, SentFragment fragment, int at) {
        fragment.streamId = answers.stream(at).id;
        fragment.opcode = (byte) pickedOpcode;
        fragment.rsn = answers.tag[at];
        fragment.offset = answers.written[at];
        fragment.messageLength = answers.length[at];
        fragment.payload = pickedBytes;
        fragment.remoteAddress = answers.address[at] + Integer.toUnsignedLong(answers.written[at]);
        fragment.rkey = answers.rkey[at];
        fragment.immediate = pickedError.code();
        fragment.flags = (byte) (answers.isRead(at) ? StatusResponseHeader.READ : StatusResponseHeader.ATOMIC);
        // R-ATOM-002: what was found the first time stays with the slot.
        fragment.operandA = answers.original[at];
    }

    /** Writes the packet of a slot again. A Read is read again, an atomic is not executed again. */
    boolean refill(Streams streams, int slot, Transmit out) {
        SentFragment fragment = sent.at(slot);
        if (streams.find(fragment.streamId) == null) {
            return false;
        }
        write(streams, fragment, out);
        return true;
    }

    private void write(Streams streams, SentFragment fragment, Transmit out) {
        int opcode = fragment.opcode;
        ByteBuffer buffer = out.header();
        base.wrap(buffer, 0).opcode(opcode);
        out.headerLength(Opcode.headerLength(opcode));
        out.noPayload();
        switch (opcode) {
            case Opcode.READ_RESP -> writeRead(streams, fragment, buffer, out);
            case Opcode.ATOMIC_RESP ->
                atomicResponse.wrap(buffer, 0).atTag(fragment.rsn).status(0).original(fragment.operandA);
            default ->
                statusResponse
                        .wrap(buffer, 0)
                        .tag(fragment.rsn)
                        .code(fragment.immediate)
                        .kind(fragment.flags);
        }
    }

    private void writeRead(Streams streams, SentFragment fragment, ByteBuffer buffer, Transmit out) {
        StreamError error = payload(streams, fragment, out);
        // R-LOSS-012: a slot whose bytes cannot be read any more is filled with a status and no payload.
        if (error != StreamError.NONE) {
            counters.increment(Counter.RETRANSMIT_WITHDRAWN);
        }
        readResponse
                .wrap(buffer, 0)
                .rdTag(fragment.rsn)
                .offset(fragment.offset)
                .totLen(fragment.messageLength)
                .status(error.code())
                .demand(Minifloat.encodeDemand(streams.budget.queuedBytes()));
    }

    private StreamError payload(Streams streams, SentFragment fragment, Transmit out) {
        Stream stream = streams.find(fragment.streamId);
        if (stream == null || AnswerQueue.refusal(stream) != StreamError.NONE) {
            return StreamError.ABORT;
        }
        int length = fragment.payload;
        if (length == 0) {
            return StreamError.NONE;
        }
        if (streams.terms.isTooLong(length)) {
            // R-PATH-029: no route carries it any more.
            return StreamError.OP_ERR;
        }
        window.begin();
        if (window.addRemote(stream.domain, fragment.rkey, fragment.remoteAddress, length) != PlacementFault.NONE) {
            return StreamError.REM_ACCESS;
        }
        out.payload(window.buffer(), window.offset(), window.length());
        return StreamError.NONE;
    }
}
