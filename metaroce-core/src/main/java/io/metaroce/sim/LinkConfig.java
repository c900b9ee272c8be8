package io.metaroce.sim;

/**
 * What one direction of a cable does: the port that feeds it, its delay, and its faults. Probabilities are in parts per
 * million and each has its own random stream.
 *
 * @param rateBitsPerSecond rate of the port that feeds it; 0 when the sender has serialised already (no queue then)
 * @param delayPs time from the last bit sent to the last bit received
 * @param queueBytesMax bytes that may wait in the port, on-wire sizes; more are dropped
 * @param ecn when the port marks, by the queue a packet meets
 * @param faults what goes wrong at random
 */
public record LinkConfig(long rateBitsPerSecond, long delayPs, long queueBytesMax, EcnRamp ecn, Faults faults) {
    /** Checks the bounds. */
    public LinkConfig {
        if (rateBitsPerSecond < 0 || delayPs < 0 || queueBytesMax < 0) {
            throw new IllegalArgumentException("link: rate " + rateBitsPerSecond + " bit/s, delay " + delayPs
                    + " ps, queue " + queueBytesMax + " bytes must not be negative");
        }
    }

    /**
     * What goes wrong at random.
     *
     * @param lossPpm packets lost, on average
     * @param lossBurst packets lost in a row whenever a loss begins, at least 1; 100 us of silence end the row
     * @param corruptHeaderPpm packets with one bit flipped in their first 64 bytes
     * @param corruptPayloadPpm packets with one bit flipped behind these
     * @param duplicatePpm packets that arrive twice
     * @param duplicateDelayPs how much later than the first the second arrives, at most (uniform)
     * @param reorderPpm packets that are overtaken although they share a link
     * @param reorderPackets how many packets overtake such a packet; 0 when it is late by a time instead
     * @param reorderDelayPs how late it is at most (uniform); with {@code reorderPackets} the longest time it waits for
     *     them
     * @param truncatePpm packets cut short, at any byte
     * @param gilbert loss that comes and goes
     */
    public record Faults(
            int lossPpm,
            int lossBurst,
            int corruptHeaderPpm,
            int corruptPayloadPpm,
            int duplicatePpm,
            long duplicateDelayPs,
            int reorderPpm,
            int reorderPackets,
            long reorderDelayPs,
            int truncatePpm,
            Gilbert gilbert) {
        /** Nothing goes wrong. */
        public static final Faults NONE = new Faults(0, 1, 0, 0, 0, 0, 0, 0, 0, 0, Gilbert.NONE);

        /** Checks the bounds. */
        public Faults {
            ppm("lossPpm", lossPpm);
            ppm("corruptHeaderPpm", corruptHeaderPpm);
            ppm("corruptPayloadPpm", corruptPayloadPpm);
            ppm("duplicatePpm", duplicatePpm);
            ppm("reorderPpm", reorderPpm);
            ppm("truncatePpm", truncatePpm);
            if (lossBurst < 1 || duplicateDelayPs < 0 || reorderPackets < 0 || reorderDelayPs < 0) {
                throw new IllegalArgumentException("faults: burst " + lossBurst + " must be at least 1; delays "
                        + duplicateDelayPs + ", " + reorderDelayPs + " and packets " + reorderPackets
                        + " must not be negative");
            }
        }

        private static void ppm(String name, int value) {
            if (value < 0 || value > Chance.PPM) {
                throw new IllegalArgumentException(name + " = " + value + " is outside 0..1000000");
            }
        }

        /** The same with random loss in bursts. */
        public Faults withLoss(int ppm, int burst) {
            return new Faults(
                    ppm,
                    burst,
                    corruptHeaderPpm,
                    corruptPayloadPpm,
                    duplicatePpm,
                    duplicateDelayPs,
                    reorderPpm,
                    reorderPackets,
                    reorderDelayPs,
                    truncatePpm,
                    gilbert);
        }

        /** The same with flipped bits. */
        public Faults withCorruption(int headerPpm, int payloadPpm) {
            return new Faults(
                    lossPpm,
                    lossBurst,
                    headerPpm,
                    payloadPpm,
                    duplicatePpm,
                    duplicateDelayPs,
                    reorderPpm,
                    reorderPackets,
                    reorderDelayPs,
                    truncatePpm,
                    gilbert);
        }

        /** The same with duplicates. */
        public Faults withDuplicates(int ppm, long delayPs) {
            return new Faults(
                    lossPpm,
                    lossBurst,
                    corruptHeaderPpm,
                    corruptPayloadPpm,
                    ppm,
                    delayPs,
                    reorderPpm,
                    reorderPackets,
                    reorderDelayPs,
                    truncatePpm,
                    gilbert);
        }

        /** The same with packets that are overtaken on one and the same link. */
        public Faults withReordering(int ppm, int packets, long delayPs) {
            return new Faults(
                    lossPpm,
                    lossBurst,
                    corruptHeaderPpm,
                    corruptPayloadPpm,
                    duplicatePpm,
                    duplicateDelayPs,
                    ppm,
                    packets,
                    delayPs,
                    truncatePpm,
                    gilbert);
        }

        /** The same with packets cut short. */
        public Faults withTruncation(int ppm) {
            return new Faults(
                    lossPpm,
                    lossBurst,
                    corruptHeaderPpm,
                    corruptPayloadPpm,
                    duplicatePpm,
                    duplicateDelayPs,
                    reorderPpm,
                    reorderPackets,
                    reorderDelayPs,
                    ppm,
                    gilbert);
        }

        /** The same with loss that comes and goes. */
        public Faults withGilbert(Gilbert value) {
            return new Faults(
                    lossPpm,
                    lossBurst,
                    corruptHeaderPpm,
                    corruptPayloadPpm,
                    duplicatePpm,
                    duplicateDelayPs,
                    reorderPpm,
                    reorderPackets,
                    reorderDelayPs,
                    truncatePpm,
                    value);
        }
    }

    /**
     * The model of Gilbert and Elliott: a link is good or bad, changes at random with each packet, and loses only while
     * it is bad.
     *
     * @param toBadPpm how likely a packet finds a good link turned bad
     * @param toGoodPpm how likely a packet finds a bad link turned good
     * @param lossPpm packets lost while it is bad
     */
    public record Gilbert(int toBadPpm, int toGoodPpm, int lossPpm) {
        /** A link that stays good. */
        public static final Gilbert NONE = new Gilbert(0, Chance.PPM, 0);

        /** Checks the bounds. */
        public Gilbert {
            Faults.ppm("toBadPpm", toBadPpm);
            Faults.ppm("toGoodPpm", toGoodPpm);
            Faults.ppm("lossPpm", lossPpm);
        }
    }

    /** A link that only takes time. */
    public static LinkConfig wire(long delayPs) {
        return new LinkConfig(0, delayPs, 0, EcnRamp.OFF, Faults.NONE);
    }

    /** A port with a queue, in front of a delay. */
    public static LinkConfig port(long rateBitsPerSecond, long delayPs, long queueBytesMax) {
        return new LinkConfig(rateBitsPerSecond, delayPs, queueBytesMax, EcnRamp.OFF, Faults.NONE);
    }

    /** The same with another rate. */
    public LinkConfig withRate(long bitsPerSecond) {
        return new LinkConfig(bitsPerSecond, delayPs, queueBytesMax, ecn, faults);
    }

    /** The same with another delay. */
    public LinkConfig withDelay(long ps) {
        return new LinkConfig(rateBitsPerSecond, ps, queueBytesMax, ecn, faults);
    }

    /** The same with another marking rule. */
    public LinkConfig withEcn(EcnRamp value) {
        return new LinkConfig(rateBitsPerSecond, delayPs, queueBytesMax, value, faults);
    }

    /** The same with other faults. */
    public LinkConfig withFaults(Faults value) {
        return new LinkConfig(rateBitsPerSecond, delayPs, queueBytesMax, ecn, value);
    }

    /** The same with random loss. */
    public LinkConfig withLoss(int ppm) {
        return withFaults(faults.withLoss(ppm, 1));
    }
}
