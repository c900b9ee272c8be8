package io.metaroce.rate;

/** What marks take from the windows: a quarter of what was marked, and what is not used. */
final class MarkCut {
    private static final int SLACK_PACKETS = 2; // packets that a window may be larger than what is used of it

    private final SenderState state;

    MarkCut(SenderState state) {
        this.state = state;
    }

    /** Remembers that marks came, if any did; whether any of what was acknowledged is marked. */
    boolean noteMarks(long nowNs, int path, RateSignal signal) {
        if (signal.cePacketsDelta() > 0) {
            state.signs.onMark(nowNs, path);
        }
        return signal.markedBytes() > 0;
    }

    /** Answers to the marks of a signal that has any. */
    void onMarks(long nowNs, int path, RateSignal signal) {
        long marked = signal.markedBytes();
        // R-CC-001: the window of the marked path and of no other.
        // R-CC-016: and what it has beyond its use, or the cut would change nothing.
        long used = state.flights.bytes(path) + signal.ackedBytes() + (long) SLACK_PACKETS * state.line.packetBytes();
        long unused = Math.max(state.windows.windowBytes(path) - used, 0);
        state.windows.trim(path, unused + marked / 4);
        state.signs.heat(path, nowNs + state.rounds.srttNs(path));
        state.coldStart.onMark();
        state.connection.disturb();
        // R-CC-004: fewer than half hot: the trimmed bytes go elsewhere.
        if (state.windows.isActive(path) && BottleneckVote.mostAreHot(nowNs, state.windows, state.signs)) {
            // R-CC-005: a quarter per round trip when everything is marked.
            cut(nowNs, marked, signal);
        }
    }

    private void cut(long nowNs, long marked, RateSignal signal) {
        if (state.line.isLong()) {
            // R-CC-018: on a long path a quarter at the first sign, and then a round trip of patience.
            state.first().onCrowd(nowNs, marked, signal.ackedBytes());
        } else {
            state.connection.trim(marked / 4);
        }
    }
}
