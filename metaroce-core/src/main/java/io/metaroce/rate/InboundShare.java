package io.metaroce.rate;

import io.metaroce.num.FixedPoint;
import io.metaroce.num.Minifloat;
import org.jspecify.annotations.Nullable;

/** One sender's place in the shares of the receiver's bandwidth. */
public final class InboundShare {
    private static final long SECOND_NS = 1_000_000_000L;
    private static final long UNKNOWN = -1;
    private static final long RTT_UNKNOWN_NS = 100_000;

    @Nullable
    InboundShare older; // neighbours in the list of FairShare

    @Nullable
    InboundShare younger;

    private final FairShare all;
    private HintNews news = () -> {};
    private final int weight; // g
    private final long peerBytesPerSecond; // Long.MAX_VALUE when unknown
    private final InboundMeter meter = new InboundMeter();
    private final @Nullable OneWayDelay delay;
    private long excessNs = UNKNOWN; // of the last packet
    private boolean marked; // the last packet
    private boolean active;
    private boolean satisfied;
    private boolean policed; // what it sends beyond twice its share is dropped
    private long demandBytesPerSecond; // d, counted while satisfied
    private long hintBytesPerSecond; // what was granted last
    private long lastHintNs;
    private long lastArrivalNs;
    private int largestBytes; // largest packet seen, or the largest there can be as long as none was
    private boolean heard; // a slot packet has come
    private long rttNs = RTT_UNKNOWN_NS;

    InboundShare(FairShare all, int weight, long peerBytesPerSecond) {
        this.all = all;
        this.delay = all.seesQueues() ? new OneWayDelay() : null;
        this.weight = weight;
        this.peerBytesPerSecond = peerBytesPerSecond > 0 ? peerBytesPerSecond : Long.MAX_VALUE;
    }

    /** Sets who tells the sender when its share has grown. */
    public InboundShare news(HintNews listener) {
        news = listener;
        return this;
    }

    /**
     * Sets the cost of the largest packet there can be: so long a sender that was asked for something may be silent.
     */
    public InboundShare packets(int costBytesMax) {
        if (!heard) {
            largestBytes = costBytesMax;
        }
        return this;
    }

    void tell() {
        news.shareGrew();
    }

    /**
     * A packet of any kind with this stamp has arrived, perhaps marked; slot packets go to {@link #onArrival}
     * afterwards.
     */
    public void onStamp(long nowNs, int txStamp, boolean isMarked) {
        marked = isMarked;
        if (delay != null) {
            excessNs = delay.onPacket(nowNs, txStamp, rttNs);
        }
    }

    /** A slot packet of this cost has arrived on this plane. */
    public void onArrival(long nowNs, int costBytes, int plane) {
        lastArrivalNs = nowNs;
        largestBytes = heard ? Math.max(largestBytes, costBytes) : costBytes;
        heard = true;
        if (active) {
            all.arrived(this);
        } else {
            activate(nowNs);
        }
        meter.turn(nowNs, rttNs, hintBytesPerSecond);
        meter.onArrival(costBytes);
        if (delay != null && excessNs != UNKNOWN) {
            all.onDelay(nowNs, costBytes, plane, excessNs, delay.isSettled(), marked, rttNs);
        }
    }

    /**
     * Whether the slot packet that has just arrived is to be dropped, as the network might have done: its sender has
     * sent more than twice its share for eight round trips, and this packet is beyond that again.
     */
    public boolean isExcess(long nowNs) {
        // R-HINT-013: who does not keep to its share loses what is beyond twice of it, and nothing else.
        policed = meter.exceeds(nowNs, Math.max(rttNs, all.silenceFloorNs()));
        return policed && meter.isBeyond(nowNs, rttNs, hintBytesPerSecond, largestBytes);
    }

    /** Whether the sender is kept to twice its share, as of the last packet. */
    public boolean isPoliced() {
        return policed;
    }

    /**
     * The sender announced what it still has for us.
     *
     * @param bytes decoded demand
     * @param txStamp stamp of the packet that said so; the latest rules
     */
    public void onDemand(long nowNs, long bytes, int txStamp) {
        if (!meter.onDemand(bytes, txStamp) || !active || !satisfied) {
            return;
        }
        // A satisfied sender that wants more than was counted changes the next hint of everybody.
        if (FixedPoint.mulDiv(bytes, SECOND_NS, rttNs) > demandBytesPerSecond) {
            classify();
        }
    }

    /** So much has been asked of this sender by READ requests and has not come yet; it counts as demand from now on. */
    public void onReadOutstanding(long nowNs, long bytes) {
        meter.onRead(bytes);
        if (bytes > 0 && !active) {
            // Active before the first request leaves, so that all of them carry the shares of all.
            lastArrivalNs = nowNs;
            activate(nowNs);
        }
    }

    /**
     * A message is complete, nothing is missing, and its sender said that nothing follows: unless it said otherwise
     * later, or was asked for more, it leaves the others its share at once.
     */
    public void onDrained() {
        if (meter.backlogBytes() == 0) {
            onFinished();
        }
    }

    /** Nothing more is expected of the sender. */
    public void onFinished() {
        if (active) {
            deactivate();
        }
    }

    /** The connection is gone. */
    public void leave() {
        onFinished();
    }

    /**
     * The hint for the acknowledgement that is being built, in the code of the wire.
     *
     * @param rttNs smoothed round-trip time of the connection, in ns
     */
    public int hint(long nowNs, long rttNs) {
        this.rttNs = Math.max(rttNs, 1);
        all.expire(nowNs);
        if (!active) {
            return Minifloat.encodeHint(all.shareOf(weight, all.activeWeight() + weight, this.rttNs));
        }
        meter.turn(nowNs, this.rttNs, hintBytesPerSecond);
        hintBytesPerSecond = classify();
        lastHintNs = nowNs;
        return Minifloat.encodeHint(hintBytesPerSecond);
    }

    /** The hint for a READ request: the share, lowered to what is right if the expected number of senders answers. */
    public int requestHint(long nowNs, long rttNs) {
        int code = hint(nowNs, rttNs);
        if (all.expectedFanIn() == 0) {
            return code;
        }
        return Math.min(code, Minifloat.encodeHint(all.capacityBytesPerSecond() / all.expectedFanIn()));
    }

    /** Whether the sender counts as active. */
    public boolean isActive() {
        return active;
    }

    /** Whether the sender wants less than its share. */
    public boolean isSatisfied() {
        return satisfied;
    }

    int weight() {
        return weight;
    }

    long demandBytesPerSecond() {
        return demandBytesPerSecond;
    }

    boolean hasNews(long nowNs) {
        if (nowNs - lastHintNs < rttNs || satisfied) {
            return false;
        }
        all.leaveClass(this);
        long share = all.shareOf(weight, all.activeWeight(), rttNs);
        all.enterClass(this);
        return share / 5 > hintBytesPerSecond / 4;
    }

    boolean isSilent(long nowNs) {
        long share = Math.max(hintBytesPerSecond, 1);
        long threePackets = FixedPoint.mulDiv(3L * largestBytes, SECOND_NS, share);
        long patience = Math.max(Math.max(2 * rttNs, threePackets), all.silenceFloorNs());
        return nowNs - lastArrivalNs > patience;
    }

    void deactivate() {
        all.deactivate(this);
        active = false;
        satisfied = false;
        demandBytesPerSecond = 0;
    }

    private void activate(long nowNs) {
        meter.begin(nowNs);
        satisfied = false;
        demandBytesPerSecond = 0;
        active = true;
        all.activate(this);
        hintBytesPerSecond = all.equalPart(weight, all.activeWeight(), rttNs);
        lastHintNs = nowNs;
    }

    // Leaves the sender out first: it must not swing on its own share.
    private long classify() {
        all.leaveClass(this);
        long share = all.shareOf(weight, all.activeWeight(), rttNs);
        long demand = demandBelow(share);
        satisfied = demand < share;
        demandBytesPerSecond = satisfied ? demand : 0;
        all.enterClass(this);
        if (!satisfied) {
            return share;
        }
        // R-HINT-004: never exactly its demand, or it could not grow.
        return Math.min(share, Math.max(all.equalPart(weight, all.activeWeight(), rttNs), 2 * demand));
    }

    private long demandBelow(long share) {
        long backlog = meter.backlogBytes();
        if (backlog < FixedPoint.mulDiv(share, rttNs, SECOND_NS)) {
            return FixedPoint.mulDiv(backlog, SECOND_NS, rttNs);
        }
        if (meter.isLimitedElsewhere()) {
            return Math.min(peerBytesPerSecond, 5 * meter.bytesPerSecond() / 4);
        }
        return peerBytesPerSecond;
    }
}
