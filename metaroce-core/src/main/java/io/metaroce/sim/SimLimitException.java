package io.metaroce.sim;

/**
 * A stated limit of the simulator was reached: the run is void and the limit, or a bug, must be looked at. The message
 * names the limit and the setting that changes it.
 */
public final class SimLimitException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** A limit named in plain words. */
    public SimLimitException(String message) {
        super(message);
    }
}
