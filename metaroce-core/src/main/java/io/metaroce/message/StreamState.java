package io.metaroce.message;

/**
 * The counters of a stream at one instant, for models and tools.
 *
 * @param streamId its number
 * @param sentMsn number of the next message of which nothing has left
 * @param confirmedMsn first message sent that is not known to be complete at the peer
 * @param receivedMsn first message of the peer that is not complete here
 * @param nextRsn first receive that is not completed
 * @param rsnLimit receives posted so far
 * @param peerRsnLimit receives the peer has posted so far, as it has told
 * @param error code of the error table, 0 if it has not failed
 */
public record StreamState(
        int streamId,
        int sentMsn,
        int confirmedMsn,
        int receivedMsn,
        int nextRsn,
        int rsnLimit,
        int peerRsnLimit,
        int error) {
    static StreamState of(Stream stream) {
        return new StreamState(
                stream.id,
                stream.sends.started(),
                stream.sends.settled(),
                stream.messages.next(),
                stream.receives.next(),
                stream.receives.limit(),
                stream.credits.peerLimit(),
                stream.report.error().code());
    }
}
