package io.metaroce.message;

import io.metaroce.num.Bits;
import io.metaroce.num.Serial32;

/**
 * Credits of one stream, both ways. A credit is an absolute number, so a lost or repeated update is harmless: every RSN
 * before the peer's limit has a buffer there.
 */
final class CreditLedger {
    private final RnrPolicy policy;
    private boolean isAnnounced;
    private @Bits(32) int peerLimit;
    private @Bits(32) int nextRsn;
    private @Bits(32) int toldLimit;

    CreditLedger(RnrPolicy policy, int firstRsn) {
        this.policy = policy;
        peerLimit = firstRsn;
        nextRsn = firstRsn;
        toldLimit = firstRsn;
    }

    /** What to do without a credit. */
    RnrPolicy policy() {
        return policy;
    }

    /** Whether the peer has said that the stream is open there. */
    boolean isAnnounced() {
        return isAnnounced;
    }

    /** The peer says that the stream is open there, once and for all; returns whether that is new. */
    boolean announce() {
        boolean isNew = !isAnnounced;
        isAnnounced = true;
        return isNew;
    }

    /** The peer has posted receives up to {@code limit}; returns whether that is more than was known. */
    boolean raise(int limit) {
        // R-ORD-010: updates are merged monotonically.
        if (!Serial32.isAfter(limit, peerLimit)) {
            return false;
        }
        peerLimit = limit;
        return true;
    }

    /** Receives the peer has posted so far, as it has told. */
    int peerLimit() {
        return peerLimit;
    }

    /** Whether a receive is known for an RSN. */
    boolean covers(int rsn) {
        return Serial32.isBefore(rsn, peerLimit);
    }

    /** Whether the next message that consumes a receive may be tried. */
    boolean allowsNext() {
        // R-SEND-003: in credit mode nothing leaves at or beyond the limit.
        return covers(nextRsn) || (policy.trust() == RnrPolicy.Trust.ONE_BEYOND && nextRsn == peerLimit);
    }

    /** The RSN of the next message that consumes a receive. */
    int take() {
        return nextRsn++;
    }

    /**
     * Whether own credits deserve a report of their own: at least half of what the peer has left would be new to it.
     *
     * @param limit receives posted here
     * @param unused of these, not used by the peer
     */
    boolean isWorthTelling(int limit, int unused) {
        return 2L * (limit - toldLimit) >= unused && limit != toldLimit;
    }

    /** The peer is being told {@code limit}. */
    void told(int limit) {
        toldLimit = limit;
    }
}
