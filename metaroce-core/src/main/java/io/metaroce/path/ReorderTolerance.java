package io.metaroce.path;

import io.metaroce.num.Deadline;

/**
 * How many later transmissions may pass a slot before it is taken for lost: none while the path keeps its order, more
 * once it is proved that slots were taken for lost and had come.
 */
final class ReorderTolerance {
    static final int PACKETS_MAX = 64;
    static final int CLEAN_ROUNDS_TO_HALVE = 16;

    private final Deadline late = new Deadline(); // of the slot that was passed first
    private int packets;
    private int cleanRounds;
    private long roundEndNs;
    private boolean roseThisRound;

    /** No packets are tolerated yet; the running round ends at {@code roundEndNs}. */
    ReorderTolerance(long roundEndNs) {
        this.roundEndNs = roundEndNs;
    }

    /** A slot that was taken for lost had come by its earlier transmission. */
    void onSpurious() {
        cleanRounds = 0;
        if (!roseThisRound) {
            // R-LOSS-006: proof of a spurious resend raises the tolerance, once a round.
            packets = Math.min(Math.max(1, 2 * packets), PACKETS_MAX);
            roseThisRound = true;
        }
    }

    /** Evidence of delivery: rounds of one round-trip time are counted by it. */
    void onEvidence(long nowNs, long rttNs) {
        if (nowNs < roundEndNs) {
            return;
        }
        roundEndNs = nowNs + rttNs;
        if (!roseThisRound && packets > 0) {
            cleanRounds++;
            if (cleanRounds == CLEAN_ROUNDS_TO_HALVE) {
                // R-LOSS-006: sixteen rounds without halve it.
                packets /= 2;
                cleanRounds = 0;
            }
        }
        roseThisRound = false;
    }

    /** Another route: what was learnt of the old one is void. */
    void restart() {
        packets = 0;
        cleanRounds = 0;
        roundEndNs = 0;
        roseThisRound = false;
        late.cancel();
    }

    /** Later transmissions that may pass a slot. */
    int packets() {
        return packets;
    }

    /** When the first slot that was passed by some is lost. */
    Deadline late() {
        return late;
    }
}
