package io.metaroce.sim;

/**
 * When a queue marks: never below {@code kminBytes}, always above {@code kmaxBytes}, and between them with a
 * probability that grows linearly from 0 to {@code pmaxPpm}.
 *
 * @param kminBytes queue in bytes from which on marks are possible
 * @param kmaxBytes queue in bytes above which every packet is marked
 * @param pmaxPpm probability of a mark at {@code kmaxBytes}, in parts per million
 */
public record EcnRamp(long kminBytes, long kmaxBytes, int pmaxPpm) {
    /** Marks nothing. */
    public static final EcnRamp OFF = new EcnRamp(Long.MAX_VALUE, Long.MAX_VALUE, 0);

    /** Marks everything that can be marked. */
    public static final EcnRamp ALL = new EcnRamp(-1, -1, Chance.PPM);

    private static final int PPM = 1_000_000;

    /** Checks the bounds. */
    public EcnRamp {
        if (kminBytes < -1 || kmaxBytes < kminBytes || pmaxPpm < 0 || pmaxPpm > PPM) {
            throw new IllegalArgumentException("ECN ramp " + kminBytes + ".." + kmaxBytes + " bytes, " + pmaxPpm
                    + " ppm: thresholds must grow and the probability lie in 0..1000000");
        }
    }

    /** A queue that marks everything beyond one threshold. */
    public static EcnRamp step(long thresholdBytes) {
        return new EcnRamp(thresholdBytes, thresholdBytes, PPM);
    }

    /** Whether a packet is marked that meets {@code queueBytes}, given 32 random bits. */
    boolean marks(long queueBytes, int random32) {
        if (queueBytes <= kminBytes) {
            return false;
        }
        if (queueBytes > kmaxBytes) {
            return true;
        }
        // kmin < queue <= kmax < 2^43, so the products stay below 2^63.
        long thresholdPpm = (queueBytes - kminBytes) * pmaxPpm / (kmaxBytes - kminBytes);
        return Chance.ppm(random32) < thresholdPpm;
    }
}
