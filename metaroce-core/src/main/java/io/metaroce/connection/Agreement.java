package io.metaroce.connection;

/**
 * What both sides agreed on, from the point of view of one of them.
 *
 * @param localId DstConnId of packets to this side
 * @param peerId DstConnId of packets to the peer
 * @param planes the planes of both sides, and where the peer receives
 * @param payloadBytes payload of every packet of a message but the last
 * @param paths paths this side may open
 * @param sackWords 64-bit words a path block covers
 * @param sendSeed seed of the trailer of packets to the peer
 * @param receiveSeed seed of the trailer of packets to this side
 * @param sendPsnSeed first PSN of this side's path 0
 * @param receivePsnSeed first PSN of the peer's path 0
 * @param handshakeRttNs round trip seen in the handshake, or less when packets were repeated
 * @param handshakeWaitNs round trip seen in the handshake, or more when packets were repeated: what to wait for
 * @param sendWindowPackets slots of a path that the peer tells apart: how far this side may run ahead of what it has
 * @param peerAckDelayNs how long the peer may hold back an acknowledgement, in ns
 * @param peerToken what a RESET in the name of the peer must carry
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Agreement(
        int localId,
        int peerId,
        CommonPlanes planes,
        int payloadBytes,
        int paths,
        int sackWords,
        int sendSeed,
        int receiveSeed,
        int sendPsnSeed,
        int receivePsnSeed,
        long handshakeRttNs,
        long handshakeWaitNs,
        int sendWindowPackets,
        long peerAckDelayNs,
        byte[] peerToken) {
    private static final int PSN_STRIDE = 0x9E3779B1;

    /** First PSN of one of this side's paths. */
    public int firstSendPsn(int path) {
        // R-PATH-001: path i starts at the seed plus i times a fixed odd number.
        return sendPsnSeed + path * PSN_STRIDE;
    }

    /** First PSN of one of the peer's paths. */
    public int firstReceivePsn(int path) {
        return receivePsnSeed + path * PSN_STRIDE;
    }
}
