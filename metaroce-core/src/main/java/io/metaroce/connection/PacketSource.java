package io.metaroce.connection;

import io.metaroce.datagram.Transmit;

/**
 * Where the connection gets its data packets from. The message room implements it.
 *
 * <p>Contract: {@link #peekLength} says how long the next packet will be; if the connection has room for it, it opens a
 * slot and calls {@link #fill} with its number, before anything else is asked of any source of the endpoint. The length
 * must then be exactly the one announced. The source remembers under the slot number what the packet carried, until
 * {@link #acked}.
 */
public interface PacketSource {
    /**
     * From now on messages are cut into packets of {@code bytes} of payload; those begun before keep their size.
     *
     * @param isHeld whether longer messages wait: nobody knows yet how much a packet may carry
     */
    void cut(long nowNs, int bytes, boolean isHeld);

    /** No packet with more payload than {@code bytes} passes any more: what needs one ends. */
    void giveUpAbove(long nowNs, int bytes);

    /** Length in bytes of the UDP payload of the next packet, trailer included; 0 when there is nothing to send. */
    int peekLength(long nowNs);

    /**
     * Writes the next packet: opcode at index 1 and everything from index 16 on into {@code out.header()}, the header
     * length, and the payload window. The rest of the base header, route and trailer are the connection's business.
     */
    void fill(long nowNs, int slot, Transmit out);

    /**
     * Writes the packet of a slot once more, in the same form as {@link #fill}.
     *
     * @return false when the slot has been settled meanwhile (its message is complete): nothing was written, its memory
     *     must not be read any more
     */
    boolean refill(long nowNs, int slot, Transmit out);

    /** Bytes accepted from the application and not yet sent. */
    long queuedBytes();

    /** The slot has been acknowledged; its number may be used again after this call. */
    void acked(long nowNs, int slot);

    /** When {@link #onDeadline} wants to be called, or {@code Deadline.NEVER}. */
    long deadlineNs();

    /** Runs what is due (questions about messages whose completion was not reported, retry delays). */
    void onDeadline(long nowNs);
}
