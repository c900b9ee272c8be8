package io.metaroce.param;

/**
 * Settings about planes.
 *
 * @param probeMinNs a lost plane is asked at most this often whether it works again, in ns
 */
public record PlaneConfig(long probeMinNs) {
    private static final long SECOND = 1_000_000_000L;

    /** Checks the bounds. */
    public PlaneConfig {
        Check.range("plane.probeMinNs", probeMinNs, 1_000, SECOND);
    }
}
