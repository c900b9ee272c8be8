package io.metaroce.tools.lab;

import io.metaroce.param.EndpointConfig;
import io.metaroce.sim.EcnRamp;
import io.metaroce.sim.Fabric;
import io.metaroce.sim.FarSites;
import io.metaroce.sim.FatTree;
import io.metaroce.sim.Host;
import io.metaroce.sim.Link;
import io.metaroce.sim.LinkConfig;
import io.metaroce.sim.NicConfig;
import io.metaroce.sim.SimTime;
import io.metaroce.sim.Topology;
import io.metaroce.sim.World;
import io.metaroce.sim.WorldConfig;
import java.util.Map;
import java.util.TreeMap;

/**
 * A fabric as knobs describe it, a host with the real engine wherever one is asked for, and its bounds. With
 * {@code pods} it is a fat tree of three tiers, of which {@code leaves} and {@code spines} are those of a pod and
 * {@code cores} stand above each of the latter; with {@code star} all hosts are around one switch that has room for
 * everything; otherwise it has leaves and spines.
 */
final class LabFabric {
    /** Payload of a full packet. */
    static final int PAYLOAD_BYTES = 4096;
    /** What a Write adds to each packet on the wire: Ethernet 38, IPv4 20, UDP 8, headers 48, trailer 4. */
    static final int OVERHEAD_BYTES = 118;
    /** What the answer to a Read adds to each packet: 16 bytes less, for it names no place in memory. */
    static final int READ_OVERHEAD_BYTES = 102;

    private static final int HOPS_OF_ONE_TIER = 2; // host, leaf, host
    private static final int HOPS_OF_TWO_TIERS = 4; // host, leaf, spine, leaf, host
    private static final int HOPS_OF_THREE_TIERS = 6;
    private static final double ACK_BYTES = 122; // a report with one block, on the wire
    private static final int HOPS_BETWEEN_SITES = 7; // host, leaf, spine, border, border, spine, leaf, host
    private static final String PODS = "pods";
    private static final String HAULS = "haul_links";
    private static final String MIXED = "mixed_nics";
    private static final int MIXED_RATES = 3;
    private static final long STAR_BUFFER_BYTES = 1L << 40;
    private static final int PACKETS = 1 << 18;
    private static final long BYTES_OF_GBIT = 125_000_000;
    private static final int PPM = 1_000_000;

    private final World world;
    private final Fabric fabric;
    private final Knobs knobs;
    private final Map<Integer, Host> hosts = new TreeMap<>(); // by place

    LabFabric(Knobs knobs, long seed) {
        this.knobs = knobs;
        world = new World(WorldConfig.ofSeed(seed)
                .withPackets(PACKETS)
                .withPacketBytes(PAYLOAD_BYTES + 512)
                .withOrder(knobs.isSet("order_of_time") ? WorldConfig.Order.OF_TIME : WorldConfig.Order.BY_NODE)
                .withPayload(isPayloadCopied() ? WorldConfig.Payload.COPIED : WorldConfig.Payload.PHANTOM));
        int gbit = knobs.number("rate_gbit");
        int planes = knobs.number("planes");
        NicConfig nic = NicConfig.ofGbit(gbit);
        long hostPs = knobs.get("nic_latency_ns", 0) * SimTime.NS;
        nic = new NicConfig(nic.rateBitsPerSecond(), hostPs, hostPs, nic.rxRingPackets());
        if (knobs.isSet("star")) {
            fabric = star(planes, nic, port(gbit));
        } else if (knobs.isSet(HAULS)) {
            fabric = farSites(nic, port(gbit));
        } else {
            fabric = knobs.isSet(PODS) ? fatTree(planes, nic, port(gbit)) : leafSpine(planes, nic, port(gbit));
        }
        LabPorts.install(fabric, knobs);
        if (knobs.isSet(MIXED)) {
            fabric.attachments().forEach(place -> fabric.rateOf(place, rateBitsPerSecond(place.node())));
        }
    }

    // By turns the rate of the profile, half and a quarter of it.
    private long rateBitsPerSecond(int place) {
        int halvings = knobs.isSet(MIXED) ? place % MIXED_RATES : 0;
        return (knobs.get("rate_gbit") * 1_000_000_000L) >> halvings;
    }

    private LinkConfig port(int gbit) {
        LinkConfig port = LinkConfig.port(
                        gbit * 1_000_000_000L, knobs.get("delay_ns") * SimTime.NS, knobs.get("buffer_bytes"))
                .withFaults(
                        LabPorts.losses(linkLossPpm(knobs.get("loss_ppm", 0)), knobs.number("loss_burst_packets", 1)));
        return knobs.isSet("ecn_off") ? port : port.withEcn(LabPorts.ramp(knobs));
    }

    private Fabric leafSpine(int planes, NicConfig nic, LinkConfig port) {
        return Topology.leafSpine(
                world,
                new Topology.LeafSpine(
                        knobs.number("leaves"), knobs.number("spines"), hostsPerLeaf(), planes, nic, port, port));
    }

    // The same hosts around one switch that has room for everything, and the same round trip: only NICs are a limit.
    private Fabric star(int planes, NicConfig nic, LinkConfig port) {
        int hosts = knobs.number("leaves") * knobs.number("hosts_per_leaf");
        LinkConfig wide = LinkConfig.port(
                        port.rateBitsPerSecond(), hops() / 2 * knobs.get("delay_ns") * SimTime.NS, STAR_BUFFER_BYTES)
                .withEcn(port.ecn());
        return Topology.star(world, new Topology.Star(hosts, planes, nic, wide));
    }

    // Between sites queues are as long as the way is.
    private Fabric farSites(NicConfig nic, LinkConfig port) {
        LinkConfig haul = LinkConfig.port(
                        port.rateBitsPerSecond(),
                        knobs.get("haul_delay_ns") * SimTime.NS,
                        knobs.get("haul_buffer_bytes"))
                .withLoss(knobs.number("haul_loss_ppm", 0))
                .withEcn(new EcnRamp(knobs.get("haul_kmin_bytes"), knobs.get("haul_kmax_bytes"), PPM));
        return new FarSites(
                        knobs.number("leaves"),
                        knobs.number("spines"),
                        hostsPerLeaf(),
                        knobs.number(HAULS),
                        nic,
                        port,
                        haul)
                .build(world);
    }

    private Fabric fatTree(int planes, NicConfig nic, LinkConfig port) {
        return new FatTree(
                        knobs.number(PODS),
                        knobs.number("leaves"),
                        knobs.number("spines"),
                        hostsPerLeaf(),
                        knobs.number("cores"),
                        planes,
                        nic,
                        port,
                        port)
                .build(world);
    }

    /** Links one after the other from host to host. */
    int hops() {
        if (knobs.isSet(HAULS)) {
            return HOPS_BETWEEN_SITES;
        }
        return knobs.isSet(PODS) ? HOPS_OF_THREE_TIERS : HOPS_OF_TWO_TIERS;
    }

    // All hops but the first lose: the NIC feeds that one without a queue. Loss is quoted from end to end.
    private int linkLossPpm(long endToEndPpm) {
        double kept = 1 - (double) endToEndPpm / PPM;
        return (int) Math.round((1 - Math.pow(kept, 1.0 / (hops() - 1))) * PPM);
    }

    /** Whether payload is carried, checked and placed, or only takes its time. */
    boolean isPayloadCopied() {
        return knobs.isSet("copy_payload");
    }

    World world() {
        return world;
    }

    Fabric fabric() {
        return fabric;
    }

    Knobs knobs() {
        return knobs;
    }

    int places() {
        return fabric.attachments().size();
    }

    int hostsPerLeaf() {
        return knobs.number("hosts_per_leaf");
    }

    /** The host at a place; put there when first asked for. */
    Host host(int place) {
        return hosts.computeIfAbsent(place, this::attach);
    }

    /** The place of a host. */
    int place(Host host) {
        for (Map.Entry<Integer, Host> one : hosts.entrySet()) {
            if (one.getValue() == host) {
                return one.getKey();
            }
        }
        throw new IllegalArgumentException(host + " is not of this fabric");
    }

    private Host attach(int place) {
        int paths = knobs.number("paths_of_odd_places", 0);
        int planes = knobs.number("planes");
        EndpointConfig config = LabEngine.config(knobs, planes, planes * rateBitsPerSecond(place) / Byte.SIZE);
        return Host.attach(
                fabric.attachments().get(place),
                paths > 0 && place % 2 == 1 ? config.withPath(config.path().withPaths(paths)) : config);
    }

    /** The last link to a host, of the first plane. */
    Link linkTo(int place) {
        String name = fabric.attachments().get(place).name();
        for (Link link : fabric.links()) {
            if (link.name().to().equals(name)) {
                return link;
            }
        }
        throw new IllegalStateException("no link leads to " + name);
    }

    /** Bytes per second of a host, all planes. */
    double rate() {
        return (double) knobs.get("planes") * knobs.get("rate_gbit") * BYTES_OF_GBIT;
    }

    /** Bytes per second of the NIC that sends the bytes of a flow, all planes. */
    double rateOf(Flow flow) {
        Host sender = flow.receiver() == flow.to() ? flow.from() : flow.to();
        return knobs.get("planes") * rateBitsPerSecond(place(sender)) / 8.0;
    }

    /** Payload bytes per second of a host that writes full packets, all planes. */
    double payloadRate() {
        return rate() * PAYLOAD_BYTES / wire(PAYLOAD_BYTES);
    }

    /** The time without queues from the first bit sent to an answer, without serialisation, in ns: the longest. */
    double roundTripNs() {
        long haulNs = knobs.isSet(HAULS) ? knobs.get("haul_delay_ns") - knobs.get("delay_ns") : 0;
        return 2.0 * (hops() * knobs.get("delay_ns") + haulNs);
    }

    /** Bytes on the wire of a message that is written, or read if the knobs say so. */
    double wire(double bytes) {
        return wire(bytes, knobs.isSet("read") ? READ_OVERHEAD_BYTES : OVERHEAD_BYTES);
    }

    private static double wire(double bytes, int overheadBytes) {
        return bytes + Math.ceil(bytes / PAYLOAD_BYTES) * overheadBytes;
    }

    /**
     * The least time in ns of a packet of so many bytes on the wire from one place to another, behind its first link.
     */
    double wayNs(int from, int to, double packetBytes) {
        return oneWayNs(from, to) + (hops(from, to) - 1) * packetBytes / rate() * 1e9;
    }

    /** The same of a report, back. */
    double answerNs(int from, int to) {
        return oneWayNs(from, to) + hops(from, to) * ACK_BYTES / rate() * 1e9;
    }

    private double oneWayNs(int from, int to) {
        return roundTripNs() / 2 - (hops() - hops(from, to)) * knobs.get("delay_ns");
    }

    private int hops(int from, int to) {
        if (knobs.isSet("star")) {
            return hops();
        }
        if (from / hostsPerLeaf() == to / hostsPerLeaf()) {
            return HOPS_OF_ONE_TIER;
        }
        int hostsOfPod = hostsPerLeaf() * knobs.number("leaves");
        return from / hostsOfPod == to / hostsOfPod ? HOPS_OF_TWO_TIERS : hops();
    }

    /** The part of it that bytes take, when each packet has so many besides its payload, with all links in order. */
    double serialNs(double messages, double bytes, int overheadBytes) {
        double sent = messages * wire(bytes, overheadBytes) + (hops() - 1) * (lastPayload(bytes) + overheadBytes);
        return sent / rate() * 1e9;
    }

    /** Payload of the shortest packet of a message. */
    static double lastPayload(double bytes) {
        double rest = bytes % PAYLOAD_BYTES;
        return rest > 0 ? rest : Math.min(bytes, PAYLOAD_BYTES);
    }
}
