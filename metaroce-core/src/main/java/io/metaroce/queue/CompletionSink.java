package io.metaroce.queue;

/**
 * Port: where completions go. All but {@link #attach} is called on the endpoint's thread.
 *
 * <p>The rule behind it: reserve the way out before you take the way in. A work request is taken from its ring only
 * with a completion reserved; so a completion queue cannot overrun.
 *
 * <ol>
 *   <li>Each attached work queue may always have one completion under way, whatever the others do.
 *   <li>{@link #completed} and {@link #unreserve} use up one successful {@link #reserve} each.
 *   <li>A work queue that was refused asks with {@link #awaitRoom} to be called back.
 * </ol>
 */
public interface CompletionSink {
    /**
     * Attaches a work queue. Any thread.
     *
     * @return its number for all other calls
     * @throws IllegalStateException when the queue has fewer cells than work queues; the message names the size needed
     */
    int attach();

    /** Detaches a work queue; what it still holds reserved is given back. Its posted completions stay. */
    void detach(int attachment);

    /** Reserves the room of one completion; false when there is none now. */
    boolean reserve(int attachment);

    /** Gives one reservation back: the request succeeded and asked for no completion. */
    void unreserve(int attachment);

    /**
     * Posts a completion into reserved room.
     *
     * @param length bytes received or read, unsigned
     * @param immediate immediate, or the key that was invalidated
     * @param flags bits of {@link WcFlag}
     */
    void completed(
            int attachment,
            int qpNumber,
            long wrId,
            WcStatus status,
            WcOpcode opcode,
            int length,
            int immediate,
            int flags);

    /**
     * Calls {@code waiter} once, later, from {@link DoorbellQueue#drain}, when there may be room for this work queue.
     */
    void awaitRoom(int attachment, Rung waiter);
}
