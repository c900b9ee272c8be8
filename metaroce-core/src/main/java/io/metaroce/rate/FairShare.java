package io.metaroce.rate;

import io.metaroce.num.FixedPoint;
import io.metaroce.param.RateConfig;
import org.jspecify.annotations.Nullable;

/**
 * Shares an endpoint's inbound bandwidth among its senders: max-min fair by weight, in a constant number of steps per
 * acknowledgement. One per endpoint.
 *
 * <p>Senders that want less than their share are <em>satisfied</em>; the rest is divided among the others. Each sender
 * is classified when its acknowledgement is built, as if it were not there.
 */
public final class FairShare {
    private static final int LEAST_SHARE_DIVISOR = 8;
    private static final int NEWS_COST_BYTES = 128; // a report without blocks, on the wire
    private static final int NEWS_PART = 100; // of what this endpoint can send
    private static final long SECOND_NS = 1_000_000_000L;

    private final CapacityEstimate capacity;
    private final @Nullable LastHop lastHop; // null where the host adds delay of its own
    private final long silenceFloorNs;
    private final int expectedFanIn;
    private final long newsPauseNs;
    private long nextNewsNs;
    private long activeWeight; // Wact
    private long unsatisfiedWeight; // U
    private int activeCount;
    private long satisfiedDemand; // D, bytes/s
    private @Nullable InboundShare oldest; // active senders in order of last arrival
    private @Nullable InboundShare newest;
    private @Nullable InboundShare cursor; // looks for senders whose share has grown

    /** An endpoint without senders. */
    public FairShare(RateConfig config) {
        capacity = new CapacityEstimate(config.inboundBytesPerSecond());
        lastHop = config.delayFloorNs() == 0 ? new LastHop(capacity) : null;
        silenceFloorNs = config.hintFloorNs();
        newsPauseNs = FixedPoint.mulDiv(NEWS_COST_BYTES * NEWS_PART, SECOND_NS, config.outboundBytesPerSecond());
        expectedFanIn = config.expectedFanIn();
    }

    /**
     * A sender that may become active.
     *
     * @param weight its weight in the shares, 1..255
     * @param peerCapacityBytesPerSecond the most it can send; 0 when unknown
     */
    public InboundShare join(int weight, long peerCapacityBytesPerSecond) {
        return new InboundShare(this, weight, peerCapacityBytesPerSecond);
    }

    /** What can be taken in from now on, all planes that are up together. */
    public void inboundBytesPerSecond(long bytesPerSecond) {
        // R-HINT-006: a plane lost lowers the next hints of everybody.
        capacity.inboundBytesPerSecond(bytesPerSecond);
    }

    /** What is shared out at present. */
    public long capacityBytesPerSecond() {
        return capacity.bytesPerSecond();
    }

    /** Sum of the weights of the senders that are active. */
    public long activeWeight() {
        return activeWeight;
    }

    /**
     * Looks at one more active sender, in turn: its share if that has grown by more than a quarter since its last hint
     * and no hint was given for a round trip, else null. The caller sends it a bare acknowledgement, within 1 % of its
     * own sending rate.
     */
    public @Nullable InboundShare pollNews(long nowNs) {
        InboundShare candidate = cursor == null ? oldest : cursor;
        if (candidate == null) {
            return null;
        }
        cursor = candidate.younger;
        // R-HINT-010: a share grown by more than a quarter is told without waiting for an acknowledgement that is due.
        return candidate.hasNews(nowNs) ? candidate : null;
    }

    /**
     * Looks at one more active sender, in turn, and has it told if its share has grown; all news together takes at most
     * a hundredth of what this endpoint can send. Called whenever an acknowledgement is built.
     */
    public void tellNews(long nowNs) {
        if (nowNs < nextNewsNs) {
            return;
        }
        InboundShare grown = pollNews(nowNs);
        if (grown != null) {
            nextNewsNs = nowNs + newsPauseNs;
            grown.tell();
        }
    }

    /** Whether the delays of packets show queues. */
    boolean seesQueues() {
        return lastHop != null;
    }

    /** A slot packet of this cost has come on this plane, {@code excessNs} later than usual. */
    void onDelay(long nowNs, int costBytes, int plane, long excessNs, boolean settled, boolean marked, long rttNs) {
        if (lastHop != null) {
            lastHop.onArrival(
                    nowNs, costBytes, plane, excessNs, settled, marked, rttNs, activeCount, unsatisfiedWeight);
        }
    }

    /** Sum of the demands of the satisfied senders. */
    long satisfiedDemand() {
        return satisfiedDemand;
    }

    long silenceFloorNs() {
        return silenceFloorNs;
    }

    int expectedFanIn() {
        return expectedFanIn;
    }

    void activate(InboundShare share) {
        activeCount++;
        activeWeight += share.weight();
        unsatisfiedWeight += share.weight();
        append(share);
    }

    void deactivate(InboundShare share) {
        leaveClass(share);
        activeCount--;
        activeWeight -= share.weight();
        remove(share);
    }

    /** Takes the sender out of its class, satisfied or not. */
    void leaveClass(InboundShare share) {
        if (share.isSatisfied()) {
            satisfiedDemand -= share.demandBytesPerSecond();
        } else {
            unsatisfiedWeight -= share.weight();
        }
    }

    /** Puts the sender into its class. */
    void enterClass(InboundShare share) {
        if (share.isSatisfied()) {
            satisfiedDemand += share.demandBytesPerSecond();
        } else {
            unsatisfiedWeight += share.weight();
        }
    }

    /**
     * The share of a sender of this weight that is in no class.
     *
     * @param weightOfAll the active weight with it
     * @param rttNs how far away it is
     */
    long shareOf(long weight, long weightOfAll, long rttNs) {
        long shared = sharedBytesPerSecond(rttNs);
        long free = Math.max(shared - satisfiedDemand, 0);
        long share = FixedPoint.mulDiv(free, weight, unsatisfiedWeight + weight);
        return Math.max(share, FixedPoint.mulDiv(shared, weight, LEAST_SHARE_DIVISOR * weightOfAll));
    }

    /** The part of the capacity that the weight alone entitles to. */
    long equalPart(long weight, long weightOfAll, long rttNs) {
        return FixedPoint.mulDiv(sharedBytesPerSecond(rttNs), weight, weightOfAll);
    }

    // R-HINT-016: what lies idle now is for those who are near; when the far ones come it is theirs.
    private long sharedBytesPerSecond(long rttNs) {
        return rttNs < LastHop.FAR_NS ? capacity.bytesPerSecond() : capacity.steadyBytesPerSecond();
    }

    /** Moves the sender to the young end of the list. */
    void arrived(InboundShare share) {
        if (share != newest) {
            remove(share);
            append(share);
        }
    }

    /** Lets go of senders that have fallen silent. */
    void expire(long nowNs) {
        InboundShare first = oldest;
        while (first != null && first.isSilent(nowNs)) {
            first.deactivate();
            first = oldest;
        }
    }

    private void append(InboundShare share) {
        share.older = newest;
        share.younger = null;
        if (newest == null) {
            oldest = share;
        } else {
            newest.younger = share;
        }
        newest = share;
    }

    private void remove(InboundShare share) {
        InboundShare before = share.older;
        InboundShare after = share.younger;
        if (cursor == share) {
            cursor = after;
        }
        if (before == null) {
            oldest = after;
        } else {
            before.younger = after;
        }
        if (after == null) {
            newest = before;
        } else {
            after.older = before;
        }
        share.older = null;
        share.younger = null;
    }
}
