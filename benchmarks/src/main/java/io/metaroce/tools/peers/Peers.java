package io.metaroce.tools.peers;

import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Collectors;

/** The peers there are: those that come with this module, and those that the class path adds. */
final class Peers {
    private static final int USUAL_PAYLOAD = 4096;
    private static final int LARGE_PAYLOAD = 8192;

    private Peers() {}

    static List<Peer> all() {
        List<Peer> all = new ArrayList<>();
        all.add(new Metaroce("metaroce", USUAL_PAYLOAD));
        all.add(new Metaroce("metaroce-8k", LARGE_PAYLOAD));
        all.add(new RawUdp(USUAL_PAYLOAD));
        all.add(new Tcp());
        ServiceLoader.load(Peer.class).forEach(all::add);
        return all;
    }

    static Peer named(String name) {
        List<Peer> all = all();
        for (Peer peer : all) {
            if (peer.name().equals(name)) {
                return peer;
            }
        }
        throw new IllegalArgumentException("there is no peer '" + name + "'; there are "
                + all.stream().map(Peer::name).collect(Collectors.joining(", ")));
    }
}
