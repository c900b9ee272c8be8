package io.metaroce.rate;

import io.metaroce.num.FixedPoint;

/**
 * The queue before this endpoint, seen by what arrives: a queue that all packets of a round trip have met, whoever sent
 * them and whatever path they took, stands where all of them pass. One per endpoint.
 */
final class LastHop {
    private static final long SECOND_NS = 1_000_000_000L;
    private static final int VOID_ROUNDS = 4; // a round that took so much longer says nothing
    private static final int TARGET_PACKETS = 8;
    private static final int ROUNDS_RECENT = 4; // a power of two
    static final long FAR_NS = 1_000_000; // so far away that clocks drift more than queues grow
    private static final int MARK_ROUNDS = 8; // so long a mark vouches for a queue
    private static final long NOTHING = Long.MAX_VALUE;
    private static final int EVERY_PLANE = -1;

    private final CapacityEstimate capacity;
    private long beganNs;
    private long shortestNs; // round trip of the running round
    private long lengthNs; // of the running round; 0 before the first
    private long roundTripNs = NOTHING; // shortest of those heard in the running round
    private long settledNs = NOTHING; // least excess of senders that have been heard for a while
    private long anyNs = NOTHING; // least excess of all
    private long bytes;
    private long largestBytes;
    private final long[] recent = new long[ROUNDS_RECENT]; // bytes per second, round by round
    private int turn;
    private int planes; // bit k: something came on plane k in the running round
    private final int[] recentPlanes = new int[ROUNDS_RECENT]; // the same, round by round
    private int learnedPlanes = EVERY_PLANE; // those that carried something when the line was learned
    private int sinceMark = MARK_ROUNDS; // rounds that ended since a mark came

    LastHop(CapacityEstimate capacity) {
        this.capacity = capacity;
    }

    /**
     * A slot packet has arrived.
     *
     * @param plane the one it came on
     * @param excessNs how much later than usual
     * @param settled whether its sender is known well enough to tell
     * @param marked whether it met a queue that marks
     * @param senders how many are active: a hint reaches each of them with the answer to its next packet
     * @param unsatisfied weights of the senders that want more
     */
    void onArrival(
            long nowNs,
            int costBytes,
            int plane,
            long excessNs,
            boolean settled,
            boolean marked,
            long rttNs,
            int senders,
            long unsatisfied) {
        if (lengthNs == 0) {
            begin(nowNs, Math.min(rttNs, FAR_NS), senders);
        } else if (nowNs - beganNs >= lengthNs) {
            finish(nowNs, senders, unsatisfied);
            begin(nowNs, Math.min(roundTripNs, Math.min(rttNs, FAR_NS)), senders);
        }
        onPlane(plane);
        if (marked) {
            sinceMark = 0;
        }
        bytes += costBytes;
        largestBytes = Math.max(largestBytes, costBytes);
        if (rttNs >= FAR_NS) {
            return;
        }
        roundTripNs = Math.min(roundTripNs, rttNs);
        anyNs = Math.min(anyNs, excessNs);
        if (settled) {
            settledNs = Math.min(settledNs, excessNs);
        }
    }

    // Once the round it does not belong to is over: that round may have been learned from.
    private void onPlane(int plane) {
        planes |= 1 << plane;
        // R-HINT-014: what was learned while a plane was away says nothing once it is back.
        if ((planes & ~learnedPlanes) != 0) {
            learnedPlanes = EVERY_PLANE;
            capacity.forget();
        }
    }

    private void begin(long nowNs, long nextNs, int senders) {
        beganNs = nowNs;
        shortestNs = Math.max(nextNs, 1);
        lengthNs = Math.max(shortestNs, packetsNs(senders));
        roundTripNs = NOTHING;
        settledNs = NOTHING;
        anyNs = NOTHING;
        bytes = 0;
        planes = 0;
    }

    private void finish(long nowNs, int senders, long unsatisfied) {
        long tookNs = nowNs - beganNs;
        boolean isVouched = sinceMark < MARK_ROUNDS;
        sinceMark = Math.min(sinceMark + 1, MARK_ROUNDS); // a mark grows old with every round, whatever that one says
        if (tookNs > VOID_ROUNDS * lengthNs || anyNs == NOTHING) {
            return;
        }
        // R-HINT-011: only a mark tells a queue of the network from one at the senders.
        long queueNs = isVouched ? (settledNs == NOTHING ? anyNs : settledNs) : 0;
        long targetNs = Math.max(shortestNs / 4, packetsNs(TARGET_PACKETS));
        recentPlanes[turn & (ROUNDS_RECENT - 1)] = planes;
        if (queueNs > targetNs) {
            learnedPlanes = recentPlanes();
        }
        capacity.onQueue(
                queueNs,
                targetNs,
                lengthNs,
                recentBytesPerSecond(FixedPoint.mulDiv(bytes, SECOND_NS, tookNs)),
                senders,
                unsatisfied);
    }

    // The line itself is what arrives at most: a round in which a queue ends is shorter of packets.
    private long recentBytesPerSecond(long inThisRound) {
        recent[turn & (ROUNDS_RECENT - 1)] = inThisRound;
        turn++;
        long most = 0;
        for (long rate : recent) {
            most = Math.max(most, rate);
        }
        return most;
    }

    private int recentPlanes() {
        int all = 0;
        for (int seen : recentPlanes) {
            all |= seen;
        }
        return all;
    }

    private long packetsNs(int packets) {
        return FixedPoint.mulDiv(packets * largestBytes, SECOND_NS, capacity.deliveredBytesPerSecond());
    }
}
