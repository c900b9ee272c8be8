package io.metaroce.path;

import io.metaroce.param.PathConfig;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The parts that work on the outbound paths of a connection, with the columns by which paths are compared. What is rare
 * is made when a path needs it first.
 */
public final class PathTable {
    /** The number of no path. */
    public static final int NO_PATH = -1;

    private static final int WINDOW_SHARE = 4;
    private static final Candidate[] NO_CANDIDATES = {};
    private static final @Nullable Departure[] NO_DEPARTURES = {};

    final int paths;
    final long handshakeRttNs;
    final int windowPackets;
    final int inFlightPacketsMax;
    final long idleProbeNs;
    final SlotSlab slab;
    final Pending pending = new Pending();
    final PathDeadlines deadlines;
    final PathHealth health;
    final TxSlots slots;
    final TxStamps stamps;
    final NewestEcho newestEcho;
    final ProbeTimer timer;
    final LossJudge judge;
    final CounterEcho counters = new CounterEcho();
    final LossTest losses;
    final MarkRounds markRounds;
    private Candidate[] candidates = NO_CANDIDATES; // as soon as a path wants a route of its own
    private @Nullable Departure[] departures = NO_DEPARTURES; // as soon as a path has left a route

    /**
     * Of {@code paths} paths with the round-trip time of the handshake.
     *
     * @param windowPackets slots of a path that the receiver tells apart
     */
    public PathTable(int paths, PathConfig config, SlotSlab slab, int windowPackets, long handshakeRttNs) {
        this.paths = paths;
        this.handshakeRttNs = handshakeRttNs;
        this.windowPackets = windowPackets;
        this.inFlightPacketsMax = Math.min(config.inFlightPacketsMax(), windowPackets / WINDOW_SHARE);
        this.idleProbeNs = config.idleProbeNs();
        this.slab = slab;
        deadlines = new PathDeadlines(paths);
        health = new PathHealth(paths, deadlines);
        slots = new TxSlots(slab, pending);
        stamps = new TxStamps(paths);
        newestEcho = new NewestEcho(paths, stamps, health);
        timer = new ProbeTimer(config);
        judge = new LossJudge(paths, slots);
        losses = new LossTest(paths);
        markRounds = new MarkRounds(paths);
    }

    /** The paths take several planes. */
    public void hasPlanes() {
        timer.beAlwaysWary();
    }

    /** How much waits on any path. */
    public Pending pending() {
        return pending;
    }

    /** When each path wants to be called. */
    public PathDeadlines deadlines() {
        return deadlines;
    }

    /** When any path last delivered something; 0 if never. */
    public long lastEvidenceNs() {
        return health.lastEvidenceNs();
    }

    /** The path whose echo is the newest of all that have delivered lately, or {@link #NO_PATH} when none has. */
    public int newestEchoed(long nowNs) {
        return newestEcho.path(nowNs);
    }

    /** Which paths lose more than bad luck explains. */
    public LossTest losses() {
        return losses;
    }

    /** Marks, round by round. */
    public MarkRounds markRounds() {
        return markRounds;
    }

    /** The candidate of a path; {@link Candidate#NOBODY} until it wanted one. */
    Candidate candidate(int path) {
        return path < candidates.length ? candidates[path] : Candidate.NOBODY;
    }

    /** The candidate of a path, to be written to. */
    Candidate ownCandidate(int path) {
        if (candidates.length == 0) {
            candidates = new Candidate[paths];
            Arrays.fill(candidates, Candidate.NOBODY);
        }
        if (candidates[path] == Candidate.NOBODY) {
            candidates[path] = new Candidate();
        }
        return candidates[path];
    }

    /** What a path remembers of the route it has left last, or null if it has left none. */
    @Nullable
    Departure departure(int path) {
        return path < departures.length ? departures[path] : null;
    }

    /** The same, to be written to. */
    Departure ownDeparture(int path) {
        if (departures.length == 0) {
            departures = new Departure[paths];
        }
        Departure departure = departures[path];
        if (departure == null) {
            departure = new Departure();
            departures[path] = departure;
        }
        return departure;
    }
}
