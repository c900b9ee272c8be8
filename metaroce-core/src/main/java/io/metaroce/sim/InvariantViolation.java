package io.metaroce.sim;

/**
 * An invariant did not hold. The message has the seed, the instant, the connection and path, and the packets before.
 */
public final class InvariantViolation extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String id;

    InvariantViolation(String id, String message) {
        super(id + ": " + message);
        this.id = id;
    }

    /** Short name of the invariant, such as {@code I5} or {@code R-PATH-003}. */
    public String id() {
        return id;
    }
}
