package io.metaroce.message;

/**
 * What a requester does about receives the peer has not posted.
 *
 * @param trust whether a message may be tried although no receive is known for it
 * @param retries attempts after the first that a refused message gets, 0..6, or {@link #FOR_EVER}
 * @param delayNs when to try again if the refusal does not say; also what own refusals say, 0..655 350 000
 */
public record RnrPolicy(Trust trust, int retries, long delayNs) {
    /** The number of retries that means "never give up"; the value of the verbs. */
    public static final int FOR_EVER = 7;

    /** Longest delay a refusal can carry, in ns. */
    static final long DELAY_MAX_NS = 0xFFFF * 10_000L;

    /** Which messages may leave. */
    public enum Trust {
        /** Only those for which the peer has announced a receive. */
        CREDITS,
        /** Also the first one beyond: it may be refused, and is then tried again. */
        ONE_BEYOND
    }

    /** Waits for receives, never gives up; retry delay of the {@code udp} profile. */
    public static final RnrPolicy WAIT = new RnrPolicy(Trust.CREDITS, FOR_EVER, 1_000_000);

    /** Checks the bounds. */
    public RnrPolicy {
        if (retries < 0 || retries > FOR_EVER) {
            throw new IllegalArgumentException("rnr retries = " + retries + ", allowed are 0..6, and 7 for ever");
        }
        if (delayNs < 0 || delayNs > DELAY_MAX_NS) {
            throw new IllegalArgumentException("an rnr delay of " + delayNs + " ns, allowed are 0.." + DELAY_MAX_NS);
        }
    }

    /**
     * What the verbs ask for: with a number of retries the peer is tried, and may refuse that often; without end
     * nothing is tried before a receive is known for it.
     */
    public static RnrPolicy of(int retries, long delayNs) {
        if (retries == WAIT.retries && delayNs == WAIT.delayNs) {
            return WAIT;
        }
        return new RnrPolicy(retries == FOR_EVER ? Trust.CREDITS : Trust.ONE_BEYOND, retries, delayNs);
    }

    /** Whether a message refused {@code refusals} times has had its last attempt. */
    boolean isExhausted(int refusals) {
        // R-SEND-011: after the agreed number of attempts the work request fails.
        return retries != FOR_EVER && refusals > retries;
    }
}
