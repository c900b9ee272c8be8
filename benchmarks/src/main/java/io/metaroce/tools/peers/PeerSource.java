package io.metaroce.tools.peers;

import java.util.List;

/** Peers that the class path adds, found by {@link java.util.ServiceLoader}. */
public interface PeerSource {
    /** New ones, not yet started. */
    List<Peer> peers();
}
