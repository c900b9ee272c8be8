package io.metaroce.message;

import io.metaroce.connection.UpdateSource;
import io.metaroce.num.Deadline;
import io.metaroce.wire.StreamUpdate;
import org.jspecify.annotations.Nullable;

/**
 * The streams with news, oldest first. Each piece of news is told in two reports; a stream that has been told goes to
 * the next lap, so one report never tells it twice.
 */
final class News implements UpdateSource {
    private final Streams streams;
    private @Nullable Strangers strangers; // most peers use no stream that is not open
    private StreamQueue lap = new StreamQueue(StreamQueue.Kind.NEWS);
    private StreamQueue nextLap = new StreamQueue(StreamQueue.Kind.NEWS_AGAIN);
    private long toldNs = Deadline.NEVER;

    News(Streams streams) {
        this.streams = streams;
    }

    /** Something about the stream has changed. */
    void renew(Stream stream) {
        // R-ACK-008: news is told in two reports.
        stream.report.renew();
        if (!nextLap.contains(stream)) {
            lap.add(stream);
        }
    }

    /** A message came for a stream that is not open here. */
    void stranger(int streamId) {
        if (strangers == null) {
            strangers = new Strangers();
        }
        strangers.note(streamId);
    }

    /** The stream has been opened. */
    void opened(Stream stream) {
        if (strangers != null) {
            strangers.forget(stream.id);
        }
        renew(stream);
    }

    @Override
    public boolean fill(long nowNs, StreamUpdate out) {
        if (strangers != null && strangers.fill(nowNs, out)) {
            return true;
        }
        if (lap.isEmpty()) {
            StreamQueue swapped = lap;
            lap = nextLap;
            nextLap = swapped;
            if (nowNs == toldNs) {
                return false;
            }
        }
        Stream stream = lap.first();
        if (stream == null) {
            return false;
        }
        lap.removeFirst();
        stream.report.write(stream, out);
        if (stream.report.told()) {
            nextLap.add(stream);
        }
        toldNs = nowNs;
        return true;
    }

    @Override
    public boolean hasNews() {
        return !lap.isEmpty() || !nextLap.isEmpty() || (strangers != null && strangers.hasNews());
    }

    @Override
    public boolean describe(int streamId, StreamUpdate out) {
        @Nullable Stream stream = streams.find(streamId);
        if (stream == null) {
            return strangers != null && strangers.describe(streamId, out);
        }
        stream.report.write(stream, out);
        return true;
    }
}
