package io.metaroce.sim;

import org.jspecify.annotations.Nullable;

/**
 * What the ports of switches do with explicit departures, two events a hop. Rates, delays and marking thresholds stay
 * those of each link.
 *
 * @param marksAtDequeue whether a packet is marked by the queue it leaves behind when its turn comes, which is younger
 *     news by one waiting time, instead of by the queue it meets
 * @param controlFirst whether reports leave before data; they are never held back by pauses then
 * @param phantomPercent marks go by a queue that drains at this part of the rate, 1..99; 100 for the real one
 * @param sharedBytes bytes that all ports of a switch share; 0 when every port has its own, as its link says
 * @param alphaQ8 of what is free of the shared bytes, the part in 1/256 that one queue (with pauses: what came in over
 *     one link) may hold
 * @param pfc pauses, if any; they need shared bytes, and reports that leave first
 */
public record PortConfig(
        boolean marksAtDequeue,
        boolean controlFirst,
        int phantomPercent,
        long sharedBytes,
        int alphaQ8,
        @Nullable PfcConfig pfc) {
    /** Drop-tail queues that mark what comes: what ports with one event a hop do. */
    public static final PortConfig PLAIN = new PortConfig(false, false, 100, 0, 0, null);

    /** Checks the bounds. */
    public PortConfig {
        if (phantomPercent < 1 || phantomPercent > 100 || sharedBytes < 0 || alphaQ8 < 0) {
            throw new IllegalArgumentException(
                    "ports: phantomPercent " + phantomPercent + " must be 1..100; sharedBytes " + sharedBytes
                            + " and alphaQ8 " + alphaQ8 + " must not be negative");
        }
        if (sharedBytes > 0 && alphaQ8 == 0) {
            throw new IllegalArgumentException("ports: shared bytes need an alpha above 0");
        }
        if (pfc != null && (sharedBytes == 0 || !controlFirst)) {
            throw new IllegalArgumentException("ports: pauses need shared bytes, and reports that leave first");
        }
    }

    /** The same with bytes that all ports of a switch share. */
    public PortConfig withShared(long bytes, int alpha) {
        return new PortConfig(marksAtDequeue, controlFirst, phantomPercent, bytes, alpha, pfc);
    }

    /** The same with pauses; reports leave first. */
    public PortConfig withPauses(PfcConfig value) {
        return new PortConfig(marksAtDequeue, true, phantomPercent, sharedBytes, alphaQ8, value);
    }

    /** The same with reports that leave before data. */
    public PortConfig withControlFirst() {
        return new PortConfig(marksAtDequeue, true, phantomPercent, sharedBytes, alphaQ8, pfc);
    }

    /** The same with marks by the queue that is left behind. */
    public PortConfig withMarksAtDequeue() {
        return new PortConfig(true, controlFirst, phantomPercent, sharedBytes, alphaQ8, pfc);
    }

    /** The same with marks by a queue that drains more slowly. */
    public PortConfig withPhantom(int percent) {
        return new PortConfig(marksAtDequeue, controlFirst, percent, sharedBytes, alphaQ8, pfc);
    }
}
