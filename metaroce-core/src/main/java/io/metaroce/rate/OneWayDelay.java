package io.metaroce.rate;

import io.metaroce.num.FixedPoint;
import io.metaroce.num.Serial32;
import io.metaroce.num.StampClock;

/**
 * How much longer than usual packets of one sender are under way: arrival minus stamp, above the least of that lately.
 * The two clocks need not agree, they only must not drift apart; so the least is kept for a few milliseconds only.
 */
final class OneWayDelay {
    private static final int MEMORY_ROUND_TRIPS = 128;
    private static final long MEMORY_NS_MIN = 1_000_000;
    private static final long MEMORY_NS_MAX = 10_000_000;

    private long beganNs; // of the running span
    private int least; // of the running span, in units
    private int leastBefore; // of the span before
    private int spans; // that count: 0, 1 or 2

    /** Takes the stamp of an arriving packet of any kind; answers how much later than usual it is, in ns. */
    long onPacket(long nowNs, int txStamp, long rttNs) {
        int delay = Serial32.distance(txStamp, StampClock.at(nowNs));
        turn(nowNs, delay, FixedPoint.clamp(MEMORY_ROUND_TRIPS * rttNs, MEMORY_NS_MIN, MEMORY_NS_MAX));
        if (Serial32.isBefore(delay, least)) {
            least = delay;
        }
        int excess = Serial32.distance(least, delay);
        if (isSettled()) {
            excess = Math.max(excess, Serial32.distance(leastBefore, delay));
        }
        return StampClock.ns(excess);
    }

    /** Whether a whole span has been seen: who began while a queue stood does not know better yet. */
    boolean isSettled() {
        return spans == 2;
    }

    private void turn(long nowNs, int delay, long spanNs) {
        long age = nowNs - beganNs;
        if (spans > 0 && age < spanNs) {
            return;
        }
        spans = spans > 0 && age < 2 * spanNs ? 2 : 1;
        leastBefore = least;
        least = delay;
        beganNs = nowNs;
    }
}
