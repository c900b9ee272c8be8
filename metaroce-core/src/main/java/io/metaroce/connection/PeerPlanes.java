package io.metaroce.connection;

import io.metaroce.datagram.Address;
import io.metaroce.num.Deadline;
import io.metaroce.param.PlaneConfig;
import java.util.ArrayList;
import java.util.List;

/**
 * The planes to one peer, as all connections to it see them together: down by their common vote, up again after several
 * probes in a row were answered. The first connection asks for all.
 */
final class PeerPlanes {
    private static final int PLANES = 16;
    private static final int ECHOES = 3;
    private static final int ECHOES_MAX = 64;
    private static final long FLAP_NS = 1_000_000_000L;
    private static final long PROBE_EVERY_MAX_NS = 50_000_000L;
    private static final int RTTS_PER_PROBE = 16;
    private static final int DOUBLINGS_MAX = 16;
    private static final int RTTS_RECENT = 64;
    private static final int JUDGED_PER_RTT = 8;

    private final PlaneTable table;
    private final PlaneConfig config;
    private final Address address;
    private final List<PlaneWatch> members = new ArrayList<>();
    private final int[] echoes = new int[PLANES];
    private final int[] needed = new int[PLANES];
    private final boolean[] answered = new boolean[PLANES];
    private final long[] upAtNs = new long[PLANES];
    private final long[] askedAtNs = new long[PLANES];
    private final int[] inVain = new int[PLANES]; // asked while nothing at all came from the peer
    private final Deadline[] probe = new Deadline[PLANES];
    private int down;
    private long heardNs;
    private final long[] judgedAtNs = new long[PLANES];

    PeerPlanes(PlaneTable table, PlaneConfig config, Address address) {
        this.table = table;
        this.config = config;
        this.address = address;
        for (int k = 0; k < PLANES; k++) {
            probe[k] = new Deadline();
            needed[k] = ECHOES;
            upAtNs[k] = -FLAP_NS;
        }
    }

    /** Where the peer receives on plane 0. */
    Address address() {
        return address;
    }

    // ---- members

    void add(PlaneWatch watch) {
        members.add(watch);
        table.touched();
    }

    /** Returns whether nobody is left. */
    boolean remove(PlaneWatch watch) {
        boolean wasElected = isElected(watch);
        members.remove(watch);
        table.touched();
        if (wasElected && down != 0) {
            wakeElected();
        }
        return members.isEmpty();
    }

    /** Whether a connection is the one that asks on behalf of all. */
    boolean isElected(PlaneWatch watch) {
        return members.get(0) == watch;
    }

    /** Whoever asks from now on may be at rest, and knows of no such deadline. */
    private void wakeElected() {
        if (!members.isEmpty()) {
            members.get(0).isToAsk();
        }
    }

    // ---- what is known

    /** Bit k: nothing speaks against plane k. */
    int up() {
        return ~down;
    }

    boolean isDown(int plane) {
        return ((down >>> plane) & 1) != 0;
    }

    /** Whether any connection to this peer has a plane. */
    boolean has(int plane) {
        for (int i = 0; i < members.size(); i++) {
            if (((members.get(i).all() >>> plane) & 1) != 0) {
                return true;
            }
        }
        return false;
    }

    /** When anybody heard of this peer last. */
    long heardNs() {
        return heardNs;
    }

    void heard(long nowNs) {
        heardNs = nowNs;
    }

    // ---- down

    /** When a plane may be judged again: often enough, and not once for every path of thousands of connections. */
    long judgeAgainAtNs(int plane, long rttNs) {
        return judgedAtNs[plane] + rttNs / JUDGED_PER_RTT;
    }

    /** A path of some connection has fallen silent, or has been silent for a while. */
    void judge(long nowNs, int plane, long rttNs, long timeoutNs, PlaneTally tally) {
        if (isDown(plane) || nowNs < judgeAgainAtNs(plane, rttNs)) {
            return;
        }
        judgedAtNs[plane] = nowNs;
        long since = Deadline.NEVER;
        for (int i = 0; i < members.size(); i++) {
            since = Math.min(since, members.get(i).silentSinceNs(nowNs, plane));
        }
        tally.reset(nowNs, since, timeoutNs);
        for (int i = 0; i < members.size(); i++) {
            members.get(i).count(nowNs, plane, tally);
        }
        if (tally.isPlaneLost()) {
            down(nowNs, plane);
            table.onPeerLost(nowNs, plane, nowNs - RTTS_RECENT * rttNs);
        }
    }

    void down(long nowNs, int plane) {
        if (isDown(plane)) {
            return;
        }
        down |= 1 << plane;
        // Flapping makes cautious: lost again within a second, it must answer twice as often.
        needed[plane] = nowNs - upAtNs[plane] < FLAP_NS ? Math.min(2 * needed[plane], ECHOES_MAX) : ECHOES;
        echoes[plane] = 0;
        answered[plane] = true;
        inVain[plane] = 0;
        probe[plane].arm(nowNs);
        table.touched();
        changed(nowNs);
        wakeElected();
    }

    void carrierChanged(long nowNs, int planes) {
        for (int i = 0; i < members.size(); i++) {
            members.get(i).onCarrier(nowNs, planes);
        }
    }

    // ---- up again

    /** When the elected connection, which has these planes, has to probe next. */
    long probeAtNs(int planes) {
        long earliest = Deadline.NEVER;
        for (int lost = down & planes; lost != 0; lost &= lost - 1) {
            earliest = Math.min(earliest, probe[Integer.numberOfTrailingZeros(lost)].atNs());
        }
        return earliest;
    }

    /** Whether a probe of a plane is due; the next one then follows later. */
    boolean takeProbe(long nowNs, int plane, long rttNs) {
        if (!isDown(plane) || !probe[plane].isDue(nowNs)) {
            return false;
        }
        if (!answered[plane]) {
            echoes[plane] = 0;
        }
        answered[plane] = false;
        // A peer that is gone is not asked as often as a plane of one that lives.
        inVain[plane] = heardNs > askedAtNs[plane] ? 0 : inVain[plane] + 1;
        askedAtNs[plane] = nowNs;
        probe[plane].arm(nowNs + everyNs(rttNs, inVain[plane]));
        table.touched();
        return true;
    }

    /** How long the next probe of a lost plane waits. */
    long everyNs(long rttNs) {
        return Math.min(Math.max(RTTS_PER_PROBE * rttNs, config.probeMinNs()), PROBE_EVERY_MAX_NS);
    }

    /** The same after so many that were in vain: twice as long each time, up to the longest. */
    long everyNs(long rttNs, int inVain) {
        return Math.min(everyNs(rttNs) << Math.min(inVain, DOUBLINGS_MAX), PROBE_EVERY_MAX_NS);
    }

    /** A probe of a plane was answered. */
    void onEcho(long nowNs, int plane) {
        if (!isDown(plane) || answered[plane]) {
            return;
        }
        answered[plane] = true;
        echoes[plane]++;
        if (echoes[plane] >= needed[plane]) {
            down &= ~(1 << plane);
            probe[plane].cancel();
            table.touched();
            upAtNs[plane] = nowNs;
            changed(nowNs);
        }
    }

    private void changed(long nowNs) {
        for (int i = 0; i < members.size(); i++) {
            members.get(i).update(nowNs);
        }
    }
}
