package io.metaroce.message;

import io.metaroce.connection.PacketSource;
import io.metaroce.datagram.Transmit;
import io.metaroce.wire.Opcode;

/** Requests and responses of one connection, in turns while both have something to send: neither starves the other. */
final class Outgoing implements PacketSource {
    private final Streams streams;
    private final Workshop steps;
    private boolean isAnswersTurn;
    private boolean isAnswerPicked;

    Outgoing(Streams streams, Workshop steps) {
        this.streams = streams;
        this.steps = steps;
    }

    @Override
    public void cut(long nowNs, int bytes, boolean isHeld) {
        streams.terms.cut(bytes, isHeld);
        streams.wakeAll();
        streams.port.sendWanted();
    }

    @Override
    public void giveUpAbove(long nowNs, int bytes) {
        // Whatever is sent again, or cut further, finds out.
        streams.terms.passAtMost(bytes);
        streams.wakeAll();
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
        return isAnswerPicked ? steps.answerer.peekLength(streams) : steps.requester.peekLength(nowNs, streams);
    }

    @Override
    public void fill(long nowNs, int slot, Transmit out) {
        isAnswersTurn = !isAnswerPicked;
        if (isAnswerPicked) {
            steps.answerer.fill(streams, slot, out);
        } else {
            steps.requester.fill(nowNs, slot, out);
        }
    }

    @Override
    public boolean refill(long nowNs, int slot, Transmit out) {
        return isResponse(slot)
                ? steps.answerer.refill(streams, slot, out)
                : steps.requester.refill(nowNs, streams, slot, out);
    }

    @Override
    public long queuedBytes() {
        return streams.budget.queuedBytes();
    }

    @Override
    public void acked(long nowNs, int slot) {
        if (isResponse(slot)) {
            steps.sent.at(slot).clear();
        } else {
            steps.requester.acked(nowNs, streams, slot);
        }
    }

    private boolean isResponse(int slot) {
        return steps.sent.at(slot).opcode >= Opcode.READ_RESP;
    }

    @Override
    public long deadlineNs() {
        return streams.timersNs;
    }

    @Override
    public void onDeadline(long nowNs) {
        steps.onDeadline(nowNs, streams);
    }
}
