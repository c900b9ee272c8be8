package io.metaroce.message;

import io.metaroce.connection.PacketSource;
import io.metaroce.datagram.Transmit;
import io.metaroce.wire.Opcode;

/** Requests and responses of one connection, in turns while both have something to send: neither starves the other. */
final class Outgoing implements PacketSource {
    private final Requester requester;
    private final Answerer answerer;
    private final SentFragments sent;
    private final StreamTimers timers;
    private final ResponseWatch watch;
    private boolean isAnswersTurn;
    private boolean isAnswerPicked;

    Outgoing(Requester requester, Answerer answerer, SentFragments sent, StreamTimers timers, ResponseWatch watch) {
        this.requester = requester;
        this.answerer = answerer;
        this.sent = sent;
        this.timers = timers;
        this.watch = watch;
    }

    @Override
    public int peekLength(long nowNs) {
        // R-READ-003: responses need no credit and no open message, and never wait behind requests that do.
        isAnswerPicked = isAnswersTurn;
        int length = peek(nowNs);
        if (length == 0) {
            isAnswerPicked = !isAnswersTurn;
            length = peek(nowNs);
        }
        return length;
    }

    private int peek(long nowNs) {
        return isAnswerPicked ? answerer.peekLength() : requester.peekLength(nowNs);
    }

    @Override
    public void fill(long nowNs, int slot, Transmit out) {
        isAnswersTurn = !isAnswerPicked;
        if (isAnswerPicked) {
            answerer.fill(slot, out);
        } else {
            requester.fill(nowNs, slot, out);
        }
    }

    @Override
    public boolean refill(long nowNs, int slot, Transmit out) {
        return isResponse(slot) ? answerer.refill(slot, out) : requester.refill(nowNs, slot, out);
    }

    @Override
    public void acked(long nowNs, int slot) {
        if (isResponse(slot)) {
            sent.clear(slot);
        } else {
            requester.acked(nowNs, slot);
        }
    }

    private boolean isResponse(int slot) {
        return sent.opcode[slot] >= Opcode.READ_RESP;
    }

    @Override
    public long deadlineNs() {
        return Math.min(timers.deadlineNs(), watch.deadlineNs());
    }

    @Override
    public void onDeadline(long nowNs) {
        timers.onDeadline(nowNs);
        watch.onDeadline(nowNs);
    }
}
