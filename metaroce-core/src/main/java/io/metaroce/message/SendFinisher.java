package io.metaroce.message;

import io.metaroce.queue.SendCell;
import io.metaroce.queue.WcStatus;

/** Completes send work requests in MSN order: when they are complete at the peer and all they fetch has come. */
final class SendFinisher {
    private final Flusher flusher;
    private final ResponseWatch watch;

    SendFinisher(Flusher flusher, ResponseWatch watch) {
        this.flusher = flusher;
        this.watch = watch;
    }

    /**
     * Everything before {@code next} is complete at the peer.
     *
     * @return false when the stream has ended over it
     */
    boolean settle(long nowNs, Stream stream, int next) {
        SendWindow sends = stream.sends;
        int steps = next - sends.settled();
        while (sends.settled() != next) {
            settleOne(stream);
        }
        boolean hasBudget = stream.all.budget.closed(steps);
        if (stream.all.ordered.wakes() || hasBudget) {
            stream.all.wakeAll();
        }
        return finish(nowNs, stream);
    }

    /**
     * Completes what can be completed.
     *
     * @return false when the stream has ended over it
     */
    boolean finish(long nowNs, Stream stream) {
        SendWindow sends = stream.sends;
        // R-ORD-006: completions follow from NextMSN, for Reads and atomics also from their response, in MSN order.
        while (sends.isFinishable() && !stream.cursor.stop.isAt(sends.done())) {
            SendCell cell = sends.finish();
            stream.sendQueue.complete(cell, WcStatus.SUCCESS);
        }
        if (stream.cursor.stop.isAt(sends.done())) {
            flusher.fail(nowNs, stream, stream.cursor.stop.status(), stream.cursor.stop.error());
            return false;
        }
        watch.look(nowNs, stream);
        if (stream.sendQueue.isClosed()) {
            flusher.flushPostedSendsIfIdle(stream);
        }
        return true;
    }

    private void settleOne(Stream stream) {
        SendWindow sends = stream.sends;
        int msn = sends.settled();
        stream.all.budget.addQueued(-sends.unsentBytes(msn));
        if (sends.cell(msn).isOrdered()) {
            stream.all.ordered.closed(stream);
        }
        // A refusal that was out of date: the attempt it meant has arrived after all.
        if (sends.phase[sends.at(msn)] == SendWindow.REFUSED) {
            stream.cursor.addRefused(-1);
        }
        if (stream.cursor.isCutting(msn)) {
            stream.cursor.end();
        }
        sends.settle();
    }
}
