package io.metaroce.connection;

import io.metaroce.num.Bits;
import io.metaroce.num.Entropy;
import io.metaroce.num.Serial32;
import io.metaroce.param.SchedulerConfig;
import io.metaroce.path.Path;
import io.metaroce.rate.CongestionControl;
import java.util.Arrays;

/**
 * The standard choice for new data: the plane that has carried least; on it a path that has just returned clean
 * acknowledgements, else the better of two random ones, else whatever has room; hot paths last. A chosen path keeps the
 * next few packets, so that a socket can send them in one call.
 */
final class SprayScheduler implements PathScheduler {
    private static final int REFRESH_EVERY = 64;

    /** Which paths are looked for. */
    private enum Wanted {
        /** Those that are not hot. */
        CLEAR,
        /** Hot ones as well. */
        ANY
    }

    // R-CC-002: hot paths are looked at only when no clear one has room.
    private static final Wanted[] WANTED = {Wanted.CLEAR, Wanted.ANY};

    private final PathSet paths;
    private final ActivePaths active;
    private final CongestionControl congestion;
    private final Entropy entropy;
    private final int burstPackets;
    private final int burstBytes;
    private final long[] planeBytes; // by plane
    private final int planes; // bit k: both sides have plane k
    private final int[] lastUsed; // number of the choice; wraps around
    private final byte[] cleanPackets;
    private final CleanPathRing[] clean; // by plane
    private int current = NONE;
    private int resting = NONE; // has had its burst: waits while another path has room
    private int burstPacketsTaken = SchedulerConfig.BURST_PACKETS_MAX;
    private int burstBytesTaken;
    private @Bits(32) int choices;

    SprayScheduler(
            PathSet paths,
            ActivePaths active,
            CongestionControl congestion,
            Entropy entropy,
            SchedulerConfig config,
            CommonPlanes planes) {
        this.paths = paths;
        this.active = active;
        this.congestion = congestion;
        this.entropy = entropy;
        this.burstPackets = config.burstPackets();
        // R-PLANE-001: long bursts would leave planes too far apart.
        this.burstBytes = planes.count() == 1 ? config.burstBytes() : 0;
        this.planeBytes = new long[planes.width()];
        this.planes = planes.bits();
        this.clean = new CleanPathRing[planes.width()];
        Arrays.setAll(clean, plane -> new CleanPathRing());
        this.lastUsed = new int[paths.count()];
        this.cleanPackets = new byte[paths.count()];
    }

    @Override
    public int select(long nowNs, int costBytes, int planesWithRoom) {
        active.turn(nowNs);
        resting = NONE;
        // A burst that goes on shows that not all paths are silent.
        if (goesOn(nowNs, costBytes, planesWithRoom)
                || (active.leaveSilent(nowNs) && goesOn(nowNs, costBytes, planesWithRoom))) {
            return current;
        }
        int plane = nextPlane(nowNs, costBytes, planesWithRoom);
        if (plane == NONE) {
            return NONE;
        }
        choices++;
        burstPacketsTaken = 0;
        burstBytesTaken = 0;
        current = choose(nowNs, costBytes, plane);
        return current;
    }

    private boolean goesOn(long nowNs, int costBytes, int planesWithRoom) {
        return isBurstUnderWay(costBytes) && isClear(nowNs, current, costBytes, planesWithRoom);
    }

    // R-CC-013: a burst has so many packets; of small ones as many as it may cost bytes.
    private boolean isBurstUnderWay(int costBytes) {
        return burstPacketsTaken < burstPackets
                || (burstPacketsTaken < SchedulerConfig.BURST_PACKETS_MAX && burstBytesTaken + costBytes <= burstBytes);
    }

    /** The plane of the next choice; whether the last path may be chosen again stands in {@link #resting}. */
    private int nextPlane(long nowNs, int costBytes, int planesWithRoom) {
        for (Wanted wanted : WANTED) {
            // R-CC-013: one path takes at most so many packets in a row while another has room.
            resting = current;
            int plane = leastUsedPlane(nowNs, costBytes, planesWithRoom, wanted);
            if (plane == NONE) {
                resting = NONE;
                plane = leastUsedPlane(nowNs, costBytes, planesWithRoom, wanted);
            }
            if (plane != NONE) {
                return plane;
            }
        }
        return NONE;
    }

    @Override
    public void taken(int path, int costBytes) {
        planeBytes[paths.outbound(path).plane()] += costBytes;
        lastUsed[path] = choices;
        burstPacketsTaken++;
        burstBytesTaken += costBytes;
    }

    @Override
    public void onClean(int path) {
        cleanPackets[path]++;
        // One token stands for a whole burst, since whoever takes it sends a burst.
        if (cleanPackets[path] >= burstPackets) {
            cleanPackets[path] = 0;
            clean[paths.outbound(path).plane()].put(path);
        }
    }

    private int choose(long nowNs, int costBytes, int plane) {
        int only = 1 << plane;
        int oldest = choices % REFRESH_EVERY == 0 ? leastRecentlyUsed(nowNs, costBytes, only) : NONE;
        if (oldest != NONE) {
            return oldest;
        }
        CleanPathRing tokens = clean[plane];
        for (int token = tokens.take(); token != CleanPathRing.NONE; token = tokens.take()) {
            if (isClear(nowNs, token, costBytes, only)) {
                return token;
            }
        }
        int one = draw(only);
        int two = draw(only);
        boolean oneClear = isClear(nowNs, one, costBytes, only);
        boolean twoClear = isClear(nowNs, two, costBytes, only);
        if (oneClear && twoClear) {
            return better(one, two);
        }
        if (oneClear) {
            return one;
        }
        return twoClear ? two : anyWithRoom(nowNs, costBytes, only);
    }

    /** Each path of a plane with nearly the same chance, since planes have their paths in turn. */
    private int draw(int only) {
        int path = entropy.nextInt(paths.count());
        for (int i = 1; i < paths.count() && !paths.outbound(path).isOn(only); i++) {
            path = path + 1 < paths.count() ? path + 1 : 0;
        }
        return path;
    }

    /** The clear path with the smallest load, or, when all with room are hot, the one that cools first. */
    private int anyWithRoom(long nowNs, int costBytes, int plane) {
        int best = NONE;
        int coolest = NONE;
        for (int i = 0; i < paths.count(); i++) {
            if (!fits(i, costBytes, plane)) {
                continue;
            }
            // R-CC-002: a marked path is used only when no clear one has room.
            if (!congestion.isHot(nowNs, i)) {
                best = best == NONE ? i : better(best, i);
            } else if (coolest == NONE || congestion.hotUntilNs(i) < congestion.hotUntilNs(coolest)) {
                coolest = i;
            }
        }
        return best != NONE ? best : coolest;
    }

    private int leastRecentlyUsed(long nowNs, int costBytes, int plane) {
        int oldest = NONE;
        for (int i = 0; i < paths.count(); i++) {
            if (isClear(nowNs, i, costBytes, plane)
                    && (oldest == NONE || Serial32.isBefore(lastUsed[i], lastUsed[oldest]))) {
                oldest = i;
            }
        }
        return oldest;
    }

    // R-PLANE-007: a slow plane comes first whenever it has room, and holds nobody back when it has none.
    private int leastUsedPlane(long nowNs, int costBytes, int planesWithRoom, Wanted wanted) {
        int best = NONE;
        long least = leastPlaneBytes(planesWithRoom);
        // No plane is better than one that has carried least of all: mostly the first path with room is on it.
        for (int i = 0; i < paths.count() && (best == NONE || planeBytes[best] > least); i++) {
            int plane = paths.outbound(i).plane();
            if (plane != best
                    && fits(i, costBytes, planesWithRoom)
                    && (wanted == Wanted.ANY || !congestion.isHot(nowNs, i))
                    && (best == NONE || planeBytes[plane] < planeBytes[best])) {
                best = plane;
            }
        }
        return best;
    }

    private long leastPlaneBytes(int planesWithRoom) {
        long least = Long.MAX_VALUE;
        for (int left = planes & planesWithRoom; left != 0; left &= left - 1) {
            least = Math.min(least, planeBytes[Integer.numberOfTrailingZeros(left)]);
        }
        return least;
    }

    private boolean isClear(long nowNs, int path, int costBytes, int planes) {
        return fits(path, costBytes, planes) && !congestion.isHot(nowNs, path);
    }

    private boolean fits(int i, int costBytes, int planes) {
        // Mostly the window is full, and the path itself need not be looked at.
        if (i >= paths.count() || i == resting || !congestion.pathHasRoom(i, costBytes) || !active.contains(i)) {
            return false;
        }
        Path path = paths.outbound(i);
        return path.isOn(planes) && path.hasRoom();
    }

    /** The path whose window is less full; then the faster one; then the lower number. */
    private int better(int a, int b) {
        long fullA = congestion.inFlightBytes(a) * congestion.windowBytes(b);
        long fullB = congestion.inFlightBytes(b) * congestion.windowBytes(a);
        if (fullA != fullB) {
            return fullA < fullB ? a : b;
        }
        long rttA = paths.outbound(a).smoothedRttNs();
        long rttB = paths.outbound(b).smoothedRttNs();
        if (rttA != rttB) {
            return rttA < rttB ? a : b;
        }
        return Math.min(a, b);
    }
}
