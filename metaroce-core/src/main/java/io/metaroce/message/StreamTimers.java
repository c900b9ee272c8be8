package io.metaroce.message;

import io.metaroce.num.Deadline;

/**
 * Watches over streams that nothing moves: asks the peer what has become of them, wakes those whose retry is due,
 * repeats failures of which the peer shows no sign to know.
 */
final class StreamTimers {
    /** Looks whether the stream waits for the peer's word alone, and if so makes sure the peer is asked in time. */
    void watch(long nowNs, Stream stream) {
        long pauseNs = pauseNs(stream);
        if (pauseNs == Deadline.NEVER) {
            stream.timer.queryAtNs = Deadline.NEVER;
        } else if (stream.timer.queryAtNs == Deadline.NEVER) {
            stream.timer.queryAtNs = nowNs + pauseNs;
            stream.all.timersNs = Math.min(stream.all.timersNs, nowNs + pauseNs);
        }
    }

    /** All that was sent of a message has arrived; the report that says so may also bring the peer's word about it. */
    void delivered(long nowNs, Stream stream) {
        Stream before = stream.all.delivered;
        stream.all.delivered = stream;
        if (before != null && before != stream) {
            watch(nowNs, before);
        }
    }

    /** The report is read: what it has shown delivered and not settled waits for the peer's word. */
    void watchDelivered(long nowNs, Streams streams) {
        Stream stream = streams.delivered;
        if (stream != null) {
            streams.delivered = null;
            watch(nowNs, stream);
        }
    }

    /** The stream has a refused message that may be tried again at {@code atNs}. */
    void retryAt(Stream stream, long atNs) {
        stream.timer.retryAtNs = atNs;
        stream.all.timersNs = Math.min(stream.all.timersNs, atNs);
    }

    /** The stream has failed: the peer is told now, and again until it shows that it knows. */
    void tellFailure(long nowNs, Stream stream) {
        stream.all.news.renew(stream);
        stream.all.port.reportWanted();
        stream.timer.armRetell(nowNs, Math.max(stream.all.port.probeTimeoutNs(), 1));
        stream.all.timersNs = Math.min(stream.all.timersNs, stream.timer.retellAtNs);
    }

    /** Does what is due on one stream. */
    void run(long nowNs, Stream stream) {
        if (nowNs >= stream.timer.retryAtNs) {
            stream.timer.retryAtNs = Deadline.NEVER;
            stream.all.ready.wake(stream);
        }
        if (nowNs >= stream.timer.queryAtNs) {
            ask(nowNs, stream);
        }
        if (nowNs >= stream.timer.retellAtNs) {
            stream.timer.retellAtNs = Deadline.NEVER;
            tellFailure(nowNs, stream);
        }
    }

    private void ask(long nowNs, Stream stream) {
        stream.timer.queryAtNs = Deadline.NEVER;
        if (pauseNs(stream) != Deadline.NEVER) {
            // R-ORD-009: asked, and asked again, until the peer's word has come.
            // R-SEND-006: so lost refusals and credits hang nothing.
            stream.all.port.queryStream(nowNs, stream.id);
            stream.timer.asked();
            stream.timer.queryAtNs = nowNs + pauseNs(stream);
        }
    }

    /** How long to wait for the peer's word, or {@link Deadline#NEVER} if the stream does not wait for it alone. */
    private long pauseNs(Stream stream) {
        SendWindow sends = stream.sends;
        if (stream.isFailed() || sends.outstanding() == 0) {
            return Deadline.NEVER;
        }
        boolean waitsForPeer = sends.open() == 0 ? stream.cursor.isHeldByPeer() : isOldestDelivered(sends);
        return waitsForPeer ? stream.timer.pauseNs(Math.max(stream.all.port.probeTimeoutNs(), 1)) : Deadline.NEVER;
    }

    private static boolean isOldestDelivered(SendWindow sends) {
        int oldest = sends.at(sends.settled());
        return sends.phase[oldest] == SendWindow.SENT && sends.slotsOut[oldest] == 0;
    }
}
