package io.metaroce.tools.peers;

import io.metaroce.tools.peers.Candidate.Absent;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Collectors;

/** Who may take part: what comes with this module, what the class path adds, and programs of the machine. */
final class Peers {
    private static final int USUAL_PAYLOAD = 4096;
    private static final int LARGE_PAYLOAD = 8192;
    private static final String NOT_BUILT =
            "not on the class path; once: mvn -B -q -Dquick -Ppeers -pl benchmarks/peers -am package";

    /** Names of those that the class path may add. */
    private static final List<Absent> ADDED = List.of(
            new Absent("aeron-1k4", "Aeron, packets of 1.4 KiB", NOT_BUILT),
            new Absent("aeron-8k", "Aeron, packets of 8 KiB", NOT_BUILT),
            new Absent("aeron-64k", "Aeron, datagrams of 64 KiB", NOT_BUILT),
            new Absent("quic", "QUIC of Netty", NOT_BUILT),
            new Absent("quic-bbr", "QUIC of Netty, BBR", NOT_BUILT));

    private Peers() {}

    /** Those of the class path. */
    static List<Peer> ofClassPath() {
        List<Peer> all = new ArrayList<>();
        all.add(new Metaroce("metaroce", USUAL_PAYLOAD));
        all.add(new Metaroce("metaroce-8k", LARGE_PAYLOAD));
        all.add(new RawUdp(USUAL_PAYLOAD));
        all.add(new Tcp(""));
        all.add(new Tcp("cubic"));
        ServiceLoader.load(PeerSource.class).forEach(source -> all.addAll(source.peers()));
        return all;
    }

    /** The peer of the class path with this name. */
    static Peer named(String name) {
        return ofClassPath().stream()
                .filter(peer -> peer.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("the class path has no peer '" + name + "'"));
    }

    /** Everybody, absent ones too. */
    static List<Candidate> all() {
        List<Candidate> all = new ArrayList<>();
        ofClassPath().forEach(peer -> all.add(new PeerPair.Entry(peer)));
        for (Absent added : ADDED) {
            if (all.stream().noneMatch(each -> each.name().equals(added.name()))) {
                all.add(added);
            }
        }
        all.add(new Iperf3(false));
        all.add(new Iperf3(true));
        all.add(new UcxPerftest());
        all.add(new Fabric(false));
        all.add(new Fabric(true));
        return all;
    }

    /** Those with these names; all when there are none. */
    static List<Candidate> chosen(List<String> names) {
        List<Candidate> all = all();
        for (String name : names) {
            if (all.stream().noneMatch(each -> each.name().equals(name))) {
                throw new IllegalArgumentException("there is no peer '" + name + "'; there are "
                        + all.stream().map(Candidate::name).collect(Collectors.joining(", ")));
            }
        }
        return all.stream()
                .filter(each -> names.isEmpty() || names.contains(each.name()))
                .toList();
    }
}
