package io.metaroce.message;

import io.metaroce.queue.ReceiveCell;
import io.metaroce.queue.Rung;

/**
 * Takes posted receives of one stream: each becomes a credit for the peer, or, once the stream has failed, is flushed.
 */
final class ReceiveIntake implements Rung {
    private final Stream stream;
    private final Flusher flusher;

    ReceiveIntake(Stream stream, Flusher flusher) {
        this.stream = stream;
        this.flusher = flusher;
    }

    @Override
    public void onRung(long nowNs) {
        if (stream.receives.isEnded()) {
            flusher.flushPostedReceives(stream);
            return;
        }
        ReceiveMatcher receives = stream.receives;
        int before = receives.limit();
        for (ReceiveCell cell = stream.receiveQueue.take(); cell != null; cell = stream.receiveQueue.take()) {
            receives.admit(cell);
        }
        if (receives.limit() == before) {
            return;
        }
        stream.all.news.renew(stream);
        if (stream.credits.isWorthTelling(receives.limit(), receives.unused())) {
            stream.all.port.reportWanted();
        }
    }
}
