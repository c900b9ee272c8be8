package io.metaroce.message;

import io.metaroce.param.StreamError;
import io.metaroce.queue.Rung;
import io.metaroce.queue.SendCell;
import io.metaroce.queue.WcStatus;
import io.metaroce.queue.WrOpcode;

/**
 * Takes posted send work requests of one stream: into the window, or, where nothing is accepted any more, to be
 * flushed.
 */
final class SendIntake implements Rung {
    private final Stream stream;
    private final Flusher flusher;

    SendIntake(Stream stream, Flusher flusher) {
        this.stream = stream;
        this.flusher = flusher;
    }

    @Override
    public void onRung(long nowNs) {
        if (stream.isFailed()) {
            flusher.flushPostedSends(stream);
            return;
        }
        if (!stream.sendQueue.isClosed()) {
            admitAll(nowNs);
        }
        // What was posted before the end was accepted, even if the room for its completion came later.
        if (stream.all.terms.isStopped() && !stream.sendQueue.hasPosted()) {
            stream.sendQueue.close();
        }
        if (stream.sendQueue.isClosed()) {
            flusher.flushPostedSendsIfIdle(stream);
        }
    }

    private void admitAll(long nowNs) {
        boolean any = false;
        for (SendCell cell = stream.sendQueue.take(); cell != null; cell = stream.sendQueue.take()) {
            admit(nowNs, cell);
            any = true;
        }
        if (!any) {
            return;
        }
        int oldest = stream.sends.done();
        if (stream.cursor.stop.isAt(oldest)) {
            flusher.fail(nowNs, stream, stream.cursor.stop.status(), stream.cursor.stop.error());
        } else {
            stream.all.ready.wake(stream);
        }
    }

    private void admit(long nowNs, SendCell cell) {
        int msn = stream.sends.admit(cell);
        stream.all.budget.addQueued(stream.sends.unsentBytes(msn));
        if (cell.opcode() == WrOpcode.RDMA_READ) {
            stream.all.demand.add(nowNs, stream, cell.lengthBytes());
        }
        if (OutOpcode.of(cell.opcode()) == OutOpcode.NONE) {
            stream.cursor.stop.note(msn, StreamError.ABORT, WcStatus.LOC_QP_OP_ERR);
        }
    }
}
