package io.metaroce.message;

/**
 * What a requester does about receives the peer has not posted.
 *
 * @param trust whether a message may be tried although no receive is known for it
 * @param retries attempts after the first that a refused message gets, 0..6, or {@link #FOR_EVER}
 * @param delayNs when to try again if the refusal does not say
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

    /** Whether a message refused {@code refusals} times has had its last attempt. */
    boolean isExhausted(int refusals) {
        // R-SEND-011: after the agreed number of attempts the work request fails.
        return retries != FOR_EVER && refusals > retries;
    }
}
