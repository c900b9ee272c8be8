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
     * @param loss packets lost
     * @param corruption packets with a flipped bit
     * @param duplicates packets that arrive twice
     * @param reordering packets that are overtaken although they share a link
     * @param truncatePpm packets cut short, at any byte
     * @param gilbert loss that comes and goes
     */
    public record Faults(
            Loss loss,
            Corruption corruption,
            Duplicates duplicates,
            Reordering reordering,
            int truncatePpm,
            Gilbert gilbert) {
        /** Nothing goes wrong. */
        public static final Faults NONE = new Faults(
                new Loss(0, 1), new Corruption(0, 0), new Duplicates(0, 0), new Reordering(0, 0, 0), 0, Gilbert.NONE);

        /** Checks the bounds. */
        public Faults {
            checkPpm("truncatePpm", truncatePpm);
        }

        /** The same with random loss in bursts. */
        public Faults withLoss(int ppm, int burst) {
            return new Faults(new Loss(ppm, burst), corruption, duplicates, reordering, truncatePpm, gilbert);
        }

        /** The same with flipped bits. */
        public Faults withCorruption(int headerPpm, int payloadPpm) {
            return new Faults(
                    loss, new Corruption(headerPpm, payloadPpm), duplicates, reordering, truncatePpm, gilbert);
        }

        /** The same with duplicates. */
        public Faults withDuplicates(int ppm, long delayPs) {
            return new Faults(loss, corruption, new Duplicates(ppm, delayPs), reordering, truncatePpm, gilbert);
        }

        /** The same with packets that are overtaken on one and the same link. */
        public Faults withReordering(int ppm, int packets, long delayPs) {
            return new Faults(
                    loss, corruption, duplicates, new Reordering(ppm, packets, delayPs), truncatePpm, gilbert);
        }

        /** The same with packets cut short. */
        public Faults withTruncation(int ppm) {
            return new Faults(loss, corruption, duplicates, reordering, ppm, gilbert);
        }

        /** The same with loss that comes and goes. */
        public Faults withGilbert(Gilbert value) {
            return new Faults(loss, corruption, duplicates, reordering, truncatePpm, value);
        }
    }

    /**
     * Loss without a memory but for its bursts.
     *
     * @param ppm packets lost, on average
     * @param burst packets lost in a row whenever a loss begins, at least 1; 100 us of silence end the row
     */
    public record Loss(int ppm, int burst) {
        /** Checks the bounds. */
        public Loss {
            checkPpm("lossPpm", ppm);
            if (burst < 1) {
                throw new IllegalArgumentException("faults: burst " + burst + " must be at least 1");
            }
        }
    }

    /**
     * Bits that flip.
     *
     * @param headerPpm packets with one bit flipped in their first 64 bytes
     * @param payloadPpm packets with one bit flipped behind these
     */
    public record Corruption(int headerPpm, int payloadPpm) {
        /** Checks the bounds. */
        public Corruption {
            checkPpm("corruptHeaderPpm", headerPpm);
            checkPpm("corruptPayloadPpm", payloadPpm);
        }
    }

    /**
     * Packets that arrive twice.
     *
     * @param ppm how many do
     * @param delayPs how much later than the first the second arrives, at most (uniform)
     */
    public record Duplicates(int ppm, long delayPs) {
        /** Checks the bounds. */
        public Duplicates {
            checkPpm("duplicatePpm", ppm);
            checkDelay("duplicate", delayPs);
        }
    }

    /**
     * Packets that are overtaken although they share a link.
     *
     * @param ppm how many are
     * @param packets how many packets overtake such a packet; 0 when it is late by a time instead
     * @param delayPs how late it is at most (uniform); with {@code packets} the longest time it waits for them
     */
    public record Reordering(int ppm, int packets, long delayPs) {
        /** Checks the bounds. */
        public Reordering {
            checkPpm("reorderPpm", ppm);
            checkDelay("reorder", delayPs);
            if (packets < 0) {
                throw new IllegalArgumentException("faults: " + packets + " packets that overtake are negative");
            }
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
            checkPpm("toBadPpm", toBadPpm);
            checkPpm("toGoodPpm", toGoodPpm);
            checkPpm("lossPpm", lossPpm);
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

    private static void checkPpm(String name, int value) {
        if (value < 0 || value > Chance.PPM) {
            throw new IllegalArgumentException(name + " = " + value + " is outside 0..1000000");
        }
    }

    private static void checkDelay(String name, long ps) {
        if (ps < 0) {
            throw new IllegalArgumentException("faults: " + name + " delay " + ps + " ps must not be negative");
        }
    }
}
