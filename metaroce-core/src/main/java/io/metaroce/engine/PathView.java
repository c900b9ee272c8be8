package io.metaroce.engine;

import io.metaroce.path.Path;
import io.metaroce.path.PathStats;
import io.metaroce.rate.CongestionControl;

/**
 * One path at one instant, for people and tools.
 *
 * @param id path number
 * @param state ACTIVE, SUSPECT, …
 * @param plane plane of its route
 * @param entropy source-port index of its route
 * @param borrowed whether the route is another path's
 * @param epoch route changes so far, modulo 256
 * @param srttNs smoothed round-trip time, in ns
 * @param baseRttNs least round-trip time of the last seconds, in ns
 * @param windowBytes congestion window
 * @param inFlightBytes bytes in flight, as the window counts them
 * @param slots slots opened
 * @param sentPackets slot packets sent, resends included
 * @param resentPackets slot packets sent again
 * @param lostPackets slots found lost by a gap
 * @param probes in-path probes sent
 * @param duplicates packets the receiver got twice
 * @param marks packets the receiver got with a congestion mark
 * @param spurious slots found lost by a gap that are proved to have come
 * @param reorderPackets later transmissions that may pass a slot before it is lost; 0 while the path keeps its order
 */
public record PathView(
        int id,
        String state,
        int plane,
        int entropy,
        boolean borrowed,
        int epoch,
        long srttNs,
        long baseRttNs,
        long windowBytes,
        long inFlightBytes,
        long slots,
        long sentPackets,
        long resentPackets,
        long lostPackets,
        long probes,
        long duplicates,
        long marks,
        long spurious,
        int reorderPackets) {
    static PathView of(Path path, CongestionControl congestion) {
        PathStats stats = path.stats();
        return new PathView(
                path.id(),
                path.state().name(),
                path.plane(),
                path.route().entropy(),
                path.isBorrowed(),
                path.epoch(),
                path.smoothedRttNs(),
                path.baseRttNs(),
                congestion.windowBytes(path.id()),
                congestion.inFlightBytes(path.id()),
                stats.slots(),
                stats.transmissions(),
                stats.resent(),
                stats.lost(),
                stats.probes(),
                stats.duplicates(),
                stats.marks(),
                stats.spurious(),
                path.reorderPackets());
    }
}
