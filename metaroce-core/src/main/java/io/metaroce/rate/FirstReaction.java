package io.metaroce.rate;

import io.metaroce.num.FixedPoint;

/**
 * What a sender does on a long path at the first sign of room or of congestion, since growth by rounds and cuts in
 * proportion take many round trips, and these are long.
 */
final class FirstReaction {
    private static final int NOTHING = 0;
    private static final int LEAP_ROUND_TRIPS = 2;
    private static final long NEVER = Long.MIN_VALUE / 2;

    private final SenderState state;
    private long takenBytesPerSecond; // the share by which the window was measured last; NOTHING since the start
    private long calmUntilNs = NEVER; // no cut until then
    private long crowdedNs = NEVER; // when most paths were hot last
    private long leaptNs = NEVER; // when the window followed a share last
    private long fellNs = NEVER; // when losses took of it last

    FirstReaction(SenderState state) {
        this.state = state;
    }

    /** The connection starts cold. */
    void begin() {
        takenBytesPerSecond = NOTHING;
    }

    /**
     * The receiver has told a share, which the window follows when it is the first, or has grown by more than a
     * quarter, and most paths are clear; whether the window may have grown.
     */
    boolean onShare(long nowNs, long bytesPerSecond) {
        boolean first = takenBytesPerSecond == NOTHING;
        if (!first && bytesPerSecond - takenBytesPerSecond <= takenBytesPerSecond / 4) {
            takenBytesPerSecond = Math.min(takenBytesPerSecond, bytesPerSecond);
            return false;
        }
        if (BottleneckVote.mostAreHot(nowNs, state.windows, state.signs)) {
            return false;
        }
        LineModel line = state.line;
        // The first share of a receiver that nobody else writes to is no proof that the network has room for all of it.
        long most = first
                ? line.windowBytes(line.lineBytesPerSecond()) / 2
                : FixedPoint.mulDiv(state.connection.windowBytes(), bytesPerSecond, takenBytesPerSecond);
        long fair = Math.min(line.windowBytes(bytesPerSecond), line.windowBytesMax());
        state.connection.raiseTo(Math.min(fair, most));
        leaptNs = nowNs;
        takenBytesPerSecond = bytesPerSecond;
        return true;
    }

    /**
     * Most paths have lost packets to congestion: within two round trips of a leap takes half of the window at most,
     * once a round trip. Whether it was so soon.
     */
    boolean onCrowdLost(long nowNs) {
        long roundTripNs = state.srttNs();
        if (nowNs - leaptNs > LEAP_ROUND_TRIPS * roundTripNs) {
            return false;
        }
        if (nowNs - fellNs > roundTripNs) {
            fellNs = nowNs;
            state.connection.fallByHalf();
        }
        return true;
    }

    /** Most paths are hot, and of {@code ackedBytes} so much was marked: cuts the window of the connection. */
    void onCrowd(long nowNs, long markedBytes, long ackedBytes) {
        boolean entered = nowNs - crowdedNs > state.srttNs();
        crowdedNs = nowNs;
        if (nowNs < calmUntilNs) {
            return;
        }
        if (entered && 2 * markedBytes >= ackedBytes) {
            calmUntilNs = nowNs + state.srttNs();
            state.connection.trim(state.connection.windowBytes() / 4);
        } else {
            state.connection.trim(markedBytes / 4);
        }
    }
}
