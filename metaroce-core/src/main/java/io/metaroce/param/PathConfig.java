package io.metaroce.param;

/**
 * Settings of the paths of a connection.
 *
 * @param paths paths a connection opens, 1..254
 * @param inFlightPacketsMax unacknowledged slots a path keeps at most, 1..8192, and never more than a quarter of what
 *     the receiver tells apart, which keeps 98 % of the bound at 10 % loss
 * @param trackWindowPackets slots of a path this side tells apart as a receiver, a power of two, 256..32768
 * @param sackWords words of bitmap of a path block this side offers, 4..16
 * @param flushFloorNs least time after which the tail of a path is probed, in ns
 * @param timeoutFloorNs least probe timeout, in ns
 * @param timeoutMaxNs cap of the probe timeout with its back-off, in ns
 * @param silenceFloorNs least lead of another path's evidence that makes a path suspect, in ns
 * @param idleProbeNs a path that has carried something and rests is probed this often, or every 100 round trips if that
 *     is longer, in ns
 * @param payloadRaiseNs longest time after which a larger payload than the one in use is looked for, in ns
 */
public record PathConfig(
        int paths,
        int inFlightPacketsMax,
        int trackWindowPackets,
        int sackWords,
        long flushFloorNs,
        long timeoutFloorNs,
        long timeoutMaxNs,
        long silenceFloorNs,
        long idleProbeNs,
        long payloadRaiseNs) {
    private static final long SECOND = 1_000_000_000L;

    /** Checks the bounds. */
    public PathConfig {
        Check.range("path.paths", paths, 1, 254);
        Check.range("path.inFlightPacketsMax", inFlightPacketsMax, 1, 8192);
        Check.range("path.trackWindowPackets", trackWindowPackets, 256, 32768);
        Check.powerOfTwo("path.trackWindowPackets", trackWindowPackets);
        Check.range("path.sackWords", sackWords, 4, 16);
        Check.range("path.flushFloorNs", flushFloorNs, 0, SECOND);
        Check.range("path.timeoutFloorNs", timeoutFloorNs, 0, SECOND);
        Check.range("path.timeoutMaxNs", timeoutMaxNs, 1, 10 * SECOND);
        Check.range("path.silenceFloorNs", silenceFloorNs, 0, SECOND);
        Check.range("path.idleProbeNs", idleProbeNs, 1_000_000, 3600 * SECOND);
        Check.range("path.payloadRaiseNs", payloadRaiseNs, 1_000_000, 24 * 3600 * SECOND);
    }

    /** The same with another number of paths. */
    public PathConfig withPaths(int n) {
        return with(n, inFlightPacketsMax, trackWindowPackets, sackWords, idleProbeNs);
    }

    /** The same with another window and another number of words that show it. */
    public PathConfig withWindow(int packets, int words) {
        return with(paths, inFlightPacketsMax, packets, words, idleProbeNs);
    }

    /** The same with another time between probes of a resting path, in ns. */
    public PathConfig withIdleProbeNs(long ns) {
        return with(paths, inFlightPacketsMax, trackWindowPackets, sackWords, ns);
    }

    /** The same with another limit of unacknowledged slots. */
    public PathConfig withInFlightPacketsMax(int packets) {
        return with(paths, packets, trackWindowPackets, sackWords, idleProbeNs);
    }

    private PathConfig with(int n, int inFlight, int window, int words, long idleNs) {
        return new PathConfig(
                n,
                inFlight,
                window,
                words,
                flushFloorNs,
                timeoutFloorNs,
                timeoutMaxNs,
                silenceFloorNs,
                idleNs,
                payloadRaiseNs);
    }
}
