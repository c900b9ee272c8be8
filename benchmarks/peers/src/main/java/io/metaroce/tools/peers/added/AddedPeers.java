package io.metaroce.tools.peers.added;

import io.metaroce.tools.peers.Peer;
import io.metaroce.tools.peers.PeerSource;
import io.netty.handler.codec.quic.QuicCongestionControlAlgorithm;
import java.util.List;

/** All peers of this module. */
public final class AddedPeers implements PeerSource {
    private static final int ETHERNET_BYTES = 1408;
    private static final int LARGE_BYTES = 8192;
    private static final int DATAGRAM_BYTES_MAX = 65_504;

    /** For the service loader. */
    public AddedPeers() {}

    @Override
    public List<Peer> peers() {
        return List.of(
                new AeronPeer("aeron-1k4", ETHERNET_BYTES),
                new AeronPeer("aeron-8k", LARGE_BYTES),
                new AeronPeer("aeron-64k", DATAGRAM_BYTES_MAX),
                new QuicPeer("quic", QuicCongestionControlAlgorithm.CUBIC),
                new QuicPeer("quic-bbr", QuicCongestionControlAlgorithm.BBR));
    }
}
