package io.metaroce.tools.lab;

import io.metaroce.num.SplitMix64;

/**
 * Bytes of the messages of each flow: as many as {@code message_bytes} says, or, with {@code size_sigma_percent}, drawn
 * so that their logarithms are normal with that standard deviation and their mean is that number. Draws beyond 16 times
 * of it are that.
 */
final class Sizes {
    private static final int TIMES_MAX = 16;
    private static final double STEPS = 1L << 53;
    private static final int DIGITS = 11; // bits of a draw that are not used

    private final LabFabric fabric;
    private final int messageBytes;
    private final double sigma;

    Sizes(LabFabric fabric, int messageBytes) {
        this.fabric = fabric;
        this.messageBytes = messageBytes;
        sigma = fabric.knobs().get("size_sigma_percent", 0) / 100.0;
    }

    /** No message has more. */
    long max() {
        return sigma == 0 ? messageBytes : (long) TIMES_MAX * messageBytes;
    }

    /** Of a flow, by its number. */
    int ofFlow(int flow) {
        if (sigma == 0) {
            return messageBytes;
        }
        SplitMix64 stream = fabric.world().seeds().stream("lab.size", flow);
        // Box and Muller: of two even draws one normal one.
        double radius = StrictMath.sqrt(-2 * StrictMath.log(even(stream)));
        double normal = radius * StrictMath.cos(2 * Math.PI * even(stream));
        double drawn = messageBytes * StrictMath.exp(sigma * normal - sigma * sigma / 2);
        return (int) Math.max(1, Math.min(max(), Math.round(drawn)));
    }

    /** Above 0, and at most 1. */
    private static double even(SplitMix64 stream) {
        return ((stream.nextLong() >>> DIGITS) + 1) / STEPS;
    }
}
