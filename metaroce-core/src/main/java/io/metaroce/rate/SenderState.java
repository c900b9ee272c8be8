package io.metaroce.rate;

import io.metaroce.num.FixedPoint;
import io.metaroce.param.RateConfig;
import org.jspecify.annotations.Nullable;

/** The registers of one sender, shared by the parts of {@link CongestionControl}. */
final class SenderState {
    private static final int SRTT_SHIFT = 4;
    private static final int SELDOM_SHIFT = 1;
    private static final int SELDOM_ROUND_TRIPS = 4;

    final LineModel line;
    final PathWindows windows;
    final WayLengths ways;
    final PathFlights flights;
    final PathRounds rounds;
    final QueueExcess excess;
    final CongestionSigns signs;
    final ConnectionWindow connection;
    final ColdStart coldStart;
    final HintLimiter hint;
    private @Nullable FirstReaction first; // made on a long path
    private long srttNs; // over all samples of all paths
    private long sampledNs; // when the last one came
    private long hintBytesPerSecond; // H, aged
    private long capBytes; // of H and the mean round trip it was reckoned for
    private long cappedRttNs;
    private long windowBytesPerSecond; // 5/4 of the window per round trip, of the two it was reckoned for
    private long pacedWindowBytes;
    private long pacedSrttNs;

    SenderState(RateConfig config, int paths, int packetBytes) {
        line = new LineModel(config.outboundBytesPerSecond(), config.delayFloorNs(), packetBytes);
        windows = new PathWindows(paths, packetBytes);
        ways = new WayLengths(windows);
        flights = new PathFlights(paths, 2 * packetBytes);
        rounds = new PathRounds(paths);
        excess = new QueueExcess(paths);
        signs = new CongestionSigns(paths);
        connection = new ConnectionWindow(packetBytes);
        coldStart = new ColdStart(config.expectedFanIn());
        hint = new HintLimiter(line, config.hintFloorNs());
        srttNs = line.rtt0Ns();
    }

    /** What is done at the first sign of room or of congestion; asked on a long path alone. */
    FirstReaction first() {
        if (first == null) {
            first = new FirstReaction(this);
        }
        return first;
    }

    /** Starts cold: no share was taken yet. */
    void beginCold() {
        coldStart.begin();
        if (first != null) {
            first.begin();
        }
    }

    /** Average round-trip time over all paths, in ns. */
    long srttNs() {
        return srttNs;
    }

    void srttNs(long ns) {
        srttNs = Math.max(ns, 1);
    }

    void onRttSample(long nowNs, long ns, boolean isSteeredByDelay) {
        // At a packet in several round trips, sixteen samples would remember a queue that is long gone.
        boolean outdates = ns < srttNs && nowNs - sampledNs > SELDOM_ROUND_TRIPS * srttNs && !isSteeredByDelay;
        srttNs(FixedPoint.ewma(srttNs, ns, outdates ? SELDOM_SHIFT : SRTT_SHIFT));
        sampledNs = nowNs;
    }

    /** H: the receiver's share, aged. */
    long hintBytesPerSecond() {
        return hintBytesPerSecond;
    }

    /** The most that may be in flight by the receiver's share: the share is paced, so this is loose by two packets. */
    long capBytes() {
        return capBytes;
    }

    /** Brings H and the cap up to date; returns the rate to pace at. */
    long refresh(long nowNs) {
        long share = hint.bytesPerSecond(nowNs);
        if (share != hintBytesPerSecond || line.meanRttNs() != cappedRttNs) {
            hintBytesPerSecond = share;
            cappedRttNs = line.meanRttNs();
            capBytes = line.windowBytes(share) + 2L * line.packetBytes();
            // Whoever has been granted the whole line shares it with nobody: what waits on its way, marks tell.
            if (share >= line.lineBytesPerSecond()) {
                capBytes = Math.max(capBytes, line.windowBytesMax());
            }
        }
        return Math.min(Math.min(hintBytesPerSecond, byWindow()), line.lineBytesPerSecond());
    }

    // Division is slow, and many signals change neither.
    private long byWindow() {
        if (connection.windowBytes() != pacedWindowBytes || srttNs != pacedSrttNs) {
            pacedWindowBytes = connection.windowBytes();
            pacedSrttNs = srttNs;
            windowBytesPerSecond = FixedPoint.mulDiv(5 * pacedWindowBytes, 1_000_000_000L, 4 * pacedSrttNs);
        }
        return windowBytesPerSecond;
    }
}
