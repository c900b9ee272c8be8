package io.metaroce.connection;

import io.metaroce.datagram.Address;
import io.metaroce.num.Entropy;
import io.metaroce.param.EndpointConfig;
import io.metaroce.wire.ConnectParameters;
import io.metaroce.wire.ConnectReject;
import io.metaroce.wire.PacketView;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What this side says about itself in a handshake, and what follows from both sides' words. */
public final class Terms {
    private static final int SACK_WORDS_MIN = 4;
    private static final long BYTES_PER_SECOND_PER_MBIT = 125_000;
    private static final long NS_PER_MS = 1_000_000;

    private final EndpointConfig config;
    private final ConnectParameters parameters;
    private final int ownPlanes;

    Terms(Shared shared, int localId) {
        config = shared.config();
        ownPlanes = shared.planes().size();
        Entropy entropy = shared.entropy().split("terms", localId);
        int crcSeed = (int) entropy.nextLong();
        int psnSeed = shared.first().psnSeed().orElse((int) entropy.nextLong());
        parameters = ofConfig(shared).crcSeed(crcSeed).psnSeed(psnSeed).resetToken(token(localId, entropy));
        int bits = (int) entropy.nextLong();
        if (Grease.isInHandshake(bits)) {
            // R-HDR-016: now and then something that the other side can only skip.
            parameters.meaningless(Grease.parameter(bits), bits);
        }
    }

    /** What follows from the settings alone. */
    private static ConnectParameters ofConfig(Shared shared) {
        EndpointConfig config = shared.config();
        return new ConnectParameters()
                .planes(planes(shared.planes()))
                .maxPaths(ConnectParameters.PATHS_MAX)
                .trackWindowLog2(Integer.numberOfTrailingZeros(config.path().trackWindowPackets()))
                .sackWords(config.path().sackWords())
                .maxPayload(config.connection().payloadBytes())
                .maxStreams(config.connection().streams())
                .maxOpenMessages(config.connection().openMessages())
                .maxMessage(config.connection().messageBytesMax())
                .maxReads(config.connection().reads())
                .featuresSupported(features(config))
                .orderedStash(config.connection().orderedWrites())
                .ackEvery(config.ack().everyPackets())
                .ackKib(config.ack().everyBytes() / 1024)
                .maxAckDelayNs(config.ack().delayMaxNs())
                .capacityMbit(config.rate().inboundBytesPerSecond() / BYTES_PER_SECOND_PER_MBIT)
                .ecnMode(config.rate().readsMarks() ? ConnectParameters.ECN_IP : ConnectParameters.ECN_NONE)
                .integrity(integrity(config))
                .keepaliveMs(config.liveness().keepaliveNs() / NS_PER_MS)
                .deadMs(config.liveness().deadNs() / NS_PER_MS);
    }

    /** What a responder said when {@code agreement} was made, to be said again; the rest is still to be added. */
    static ConnectParameters again(Shared shared, Agreement agreement) {
        return ofConfig(shared)
                .maxPayload(agreement.payloadBytes())
                .sackWords(agreement.sackWords())
                .crcSeed(agreement.receiveSeed())
                .psnSeed(agreement.sendPsnSeed());
    }

    /** The parameters to send. */
    ConnectParameters parameters() {
        return parameters;
    }

    /** The one integrity profile of an endpoint: whoever has a key encrypts, and speaks to nobody who does not. */
    public static int integrity(EndpointConfig config) {
        return config.security().isEncrypted()
                ? ConnectParameters.INTEGRITY_AEAD_1
                : ConnectParameters.INTEGRITY_CRC32C;
    }

    /** Features an endpoint knows of itself, whatever streams it opens. */
    private static int features(EndpointConfig config) {
        return config.connection().orderedWrites() > 0 ? ConnectParameters.FEATURE_ORDERED : 0;
    }

    /** What every peer of an endpoint has to agree to. */
    public static ConnectParameters demands(EndpointConfig config) {
        return new ConnectParameters().integrity(integrity(config));
    }

    /** Why the peer's words are unacceptable to an endpoint, as a code of CONN_REJECT, or 0. */
    public static int fault(EndpointConfig config, ConnectParameters peer) {
        // R-CONN-004: a mismatch ends in a rejection with its reason.
        if ((peer.integrity() & integrity(config)) == 0) {
            return ConnectReject.INTEGRITY;
        }
        if ((peer.featuresRequired() & ~features(config)) != 0) {
            return ConnectReject.FEATURE;
        }
        boolean acceptable = first(peer) != null
                && areStreamsPossible(config, peer)
                && peer.maxPaths() >= 1
                && peer.sackWords() >= SACK_WORDS_MIN
                && peer.maxPayload() >= 1024
                && Integer.bitCount(peer.maxPayload()) == 1;
        return acceptable ? 0 : ConnectReject.PARAMETER;
    }

    /** What the sender of an acceptance says, or null when it does not answer the request of {@code nonce}. */
    static @Nullable ConnectParameters accepted(EndpointConfig config, long nonce, PacketView accept) {
        if (accept.connectAccept().nonce() != nonce) {
            return null;
        }
        ConnectParameters peer = new ConnectParameters();
        boolean isUsable =
                peer.read(accept.buffer(), accept.tlvOffset(), accept.tlvEnd()) == null && fault(config, peer) == 0;
        return isUsable ? peer : null;
    }

    /** Whether each stream the peer opens is one there can be, and is opened once. */
    private static boolean areStreamsPossible(EndpointConfig config, ConnectParameters peer) {
        BitSet seen = new BitSet();
        for (ConnectParameters.StreamOpen open : peer.streamsOpen()) {
            if (open.streamId() >= config.connection().streams() || seen.get(open.streamId())) {
                return false;
            }
            seen.set(open.streamId());
        }
        return true;
    }

    /** The responder's choices, given what the initiator offers. */
    void choose(ConnectParameters offered) {
        parameters.maxPayload(Math.min(parameters.maxPayload(), offered.maxPayload()));
        parameters.sackWords(Math.min(parameters.sackWords(), offered.sackWords()));
    }

    /** What both sides agreed on. */
    Agreement agree(int localId, int peerId, ConnectParameters peer, long rttLeastNs, long rttMostNs) {
        // R-CONN-008: each side stays within the limits the other has stated.
        return new Agreement(
                localId,
                peerId,
                // R-PLANE-008: the planes both sides have, whatever other numbers are missing.
                CommonPlanes.of(ownPlanes, peer),
                Math.min(parameters.maxPayload(), peer.maxPayload()),
                Math.min(config.path().paths(), peer.maxPaths()),
                Math.min(parameters.sackWords(), peer.sackWords()),
                peer.crcSeed(),
                parameters.crcSeed(),
                parameters.psnSeed(),
                peer.psnSeed(),
                Math.max(rttLeastNs, 1),
                Math.max(rttMostNs, 1),
                1 << peer.trackWindowLog2(),
                peer.maxAckDelayNs() & 0xFFFF_FFFFL,
                peer.resetToken());
    }

    /** The address of a peer on plane 0, where handshake packets go, or null. */
    public static @Nullable Address first(ConnectParameters peer) {
        for (ConnectParameters.PlaneAddress plane : peer.planes()) {
            if (plane.plane() == 0) {
                return plane.address();
            }
        }
        return null;
    }

    private static List<ConnectParameters.PlaneAddress> planes(List<Address> addresses) {
        List<ConnectParameters.PlaneAddress> planes = new ArrayList<>();
        for (int i = 0; i < addresses.size(); i++) {
            planes.add(new ConnectParameters.PlaneAddress(i, addresses.get(i)));
        }
        return planes;
    }

    private byte[] token(int localId, Entropy entropy) {
        if (config.security().endpointKey().isPresent()) {
            return new ResetTokens(config.security().endpointKey()).of(localId);
        }
        // Nobody will ever send a RESET for this number, so the token must only be one that nobody guesses.
        return ByteBuffer.allocate(ConnectParameters.TOKEN_LENGTH)
                .putLong(entropy.nextLong())
                .putLong(entropy.nextLong())
                .array();
    }
}
