package io.metaroce.path;

import io.metaroce.num.Bits;

/**
 * What may be said of the highest stamp of a path that is read through several queues. An echo is a promise that
 * nothing sent before lies unread on this side; so a stamp is told only when every queue was emptied once more since
 * the pass that read it.
 *
 * <p>Three are kept: the highest of all, the highest that was read before the pass of the highest, and the one told
 * last. While news comes in every pass the second is told, so nothing waits longer than one pass.
 */
final class HeldEcho {
    private final ReceivePasses passes;

    private @Bits(32) int newest;
    private @Bits(8) int newestEpoch;
    private long newestAtNs;
    private @Bits(32) int newestPass; // that read it
    private boolean any;

    private @Bits(32) int before;
    private @Bits(8) int beforeEpoch;
    private long beforeAtNs;
    private @Bits(32) int beforePass;
    private boolean anyBefore;

    // What may be told.
    @Bits(32)
    int stamp;

    @Bits(8)
    int epoch;

    long atNs;
    boolean anyTold;

    HeldEcho(ReceivePasses passes) {
        this.passes = passes;
    }

    /** A stamp that is the highest so far has been read. */
    void onStamp(long nowNs, int txStamp, int pathEpoch) {
        int pass = passes.mark();
        if (any && pass != newestPass) {
            before = newest;
            beforeEpoch = newestEpoch;
            beforeAtNs = newestAtNs;
            beforePass = newestPass;
            anyBefore = true;
        }
        newest = txStamp;
        newestEpoch = pathEpoch;
        newestAtNs = nowNs;
        newestPass = pass;
        any = true;
    }

    /** Makes what has become certain the one to tell. Returns whether there is any. */
    boolean settle() {
        // R-ACK-013: told is what was read before every queue had been emptied once more.
        if (any && passes.isMature(newestPass)) {
            tell(newest, newestEpoch, newestAtNs);
        } else if (anyBefore && passes.isMature(beforePass)) {
            tell(before, beforeEpoch, beforeAtNs);
        }
        return anyTold;
    }

    /** Whether the highest stamp is the one that may be told. */
    boolean isSettled() {
        return any && passes.isMature(newestPass);
    }

    private void tell(int txStamp, int pathEpoch, long readAtNs) {
        stamp = txStamp;
        epoch = pathEpoch;
        atNs = readAtNs;
        anyTold = true;
    }
}
