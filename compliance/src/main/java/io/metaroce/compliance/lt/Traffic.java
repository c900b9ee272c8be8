package io.metaroce.compliance.lt;

import io.metaroce.compliance.lt.codec.Codec;
import io.metaroce.compliance.lt.codec.Packet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;

/** A selection of the ledger, in order of time; every question narrows it. */
public final class Traffic {
    private static final int IN_PATH = 0x80;
    private static final int CHALLENGE = 0x40;

    private final Codec codec;
    private final List<Seen> packets;

    Traffic(Codec codec, List<Seen> packets) {
        this.codec = codec;
        this.packets = packets;
    }

    /** Those that fit. */
    public Traffic where(Predicate<Seen> wanted) {
        return new Traffic(codec, packets.stream().filter(wanted).toList());
    }

    /** Packets with one of these names. */
    public Traffic named(String... names) {
        List<String> wanted = List.of(names);
        return where(
                seen -> seen.decoded() != null && wanted.contains(seen.packet().name()));
    }

    /** All but CREDITs, which an implementation sends when it has news, not because of what it was sent. */
    public Traffic withoutNews() {
        return where(seen -> seen.decoded() == null || !seen.packet().is("CREDIT"));
    }

    /** Packets that occupy slots. */
    public Traffic slots() {
        return where(seen ->
                seen.decoded() != null && codec.table().isSlot(seen.packet().name()));
    }

    /** Packets of one path. */
    public Traffic on(int path) {
        return where(seen -> seen.path() == path);
    }

    /** Transmissions of one slot number. */
    public Traffic slot(int psn) {
        return slots().where(seen -> seen.psn() == psn);
    }

    /** First transmissions. */
    public Traffic fresh() {
        return where(seen -> !seen.isResent());
    }

    /** Retransmissions. */
    public Traffic resent() {
        return slots().where(Seen::isResent);
    }

    /** PROBEs in path. */
    public Traffic tails() {
        return named("PROBE").where(seen -> (seen.packet().get("probe_flags") & IN_PATH) != 0);
    }

    /** PROBEs that test a route. */
    public Traffic challenges() {
        return named("PROBE").where(seen -> (seen.packet().get("probe_flags") & CHALLENGE) != 0);
    }

    /** Packets at or after an instant. */
    public Traffic from(long ns) {
        return where(seen -> seen.atNs() >= ns);
    }

    /** Packets before an instant. */
    public Traffic before(long ns) {
        return where(seen -> seen.atNs() < ns);
    }

    /** How many. */
    public int count() {
        return packets.size();
    }

    /** Whether there is none. */
    public boolean isEmpty() {
        return packets.isEmpty();
    }

    /** Whether all fit; true of none. */
    public boolean all(Predicate<Seen> wanted) {
        return packets.stream().allMatch(wanted);
    }

    /** Whether one fits. */
    public boolean any(Predicate<Seen> wanted) {
        return packets.stream().anyMatch(wanted);
    }

    /** All of them. */
    public List<Seen> list() {
        return packets;
    }

    /** The first. */
    public Optional<Seen> first() {
        return packets.stream().findFirst();
    }

    /** The last. */
    public Optional<Seen> last() {
        return packets.isEmpty() ? Optional.empty() : Optional.of(packets.get(packets.size() - 1));
    }

    /** The values of a field, in order, without repetitions, ascending. */
    public SortedSet<Long> values(String field) {
        TreeSet<Long> values = new TreeSet<>();
        packets.forEach(seen -> values.add(seen.packet().get(field)));
        return values;
    }

    /** Source ports, ascending. */
    public SortedSet<Integer> ports() {
        TreeSet<Integer> ports = new TreeSet<>();
        packets.forEach(seen -> ports.add(seen.port()));
        return ports;
    }

    /** Slot numbers in order of transmission. */
    public List<Integer> psns() {
        List<Integer> psns = new ArrayList<>();
        packets.forEach(seen -> psns.add(seen.psn()));
        return psns;
    }

    /** Bytes of UDP payload. */
    public long bytes() {
        return packets.stream().mapToLong(seen -> seen.raw().length).sum();
    }

    /** Payload bytes. */
    public long payload() {
        return packets.stream()
                .map(Seen::packet)
                .mapToLong(Packet::payloadLength)
                .sum();
    }

    /** Short, for the text of a check. */
    @Override
    public String toString() {
        StringBuilder out = new StringBuilder(packets.size() + " packets");
        packets.stream()
                .limit(6)
                .forEach(seen -> out.append("; ").append(seen.line().strip()));
        return out.toString();
    }
}
