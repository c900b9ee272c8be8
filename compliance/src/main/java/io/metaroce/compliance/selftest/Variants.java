package io.metaroce.compliance.selftest;

import io.metaroce.compliance.lt.codec.Packet;
import java.util.List;
import java.util.function.Supplier;

/** Legal ways of being different: all of them must pass every test that applies. */
final class Variants {
    private Variants() {}

    /**
     * A legal implementation that is not the reference.
     *
     * @param id its number
     * @param title what is different
     * @param fault makes the difference
     */
    record Variant(String id, String title, Supplier<Fault> fault) {}

    static List<Variant> all() {
        return List.of(
                new Variant("B01", "acknowledges every packet", () -> new Fault().set("ack_every", 1)),
                new Variant("B02", "acknowledges every second packet", () -> new Fault().set("ack_every", 2)),
                new Variant("B03", "coalesces by bytes sooner", () -> new Fault().set("ack_bytes", 4096)),
                new Variant("B04", "offers few streams", () -> new Fault().set("streams", 8)),
                new Variant("B05", "serves few Reads", () -> new Fault().set("max_reads", 16)),
                new Variant("B06", "has few open messages", () -> new Fault().set("open_messages", 64)),
                new Variant("B07", "keeps fewer slots in flight", () -> new Fault().set("in_flight", 32)),
                new Variant("B08", "has a wider window", () -> new Fault().set("track_window", 512)),
                new Variant("B09", "reports wider bitmaps", () -> new Fault().set("sack_words", 8)),
                new Variant(
                        "B10",
                        "sends an option nobody knows in every ACK",
                        () -> new Fault()
                                .out(
                                        p -> p.is("ACK") && p.options().isEmpty(),
                                        p -> p.withFlags(1).option(0x4F, new byte[2]))),
                new Variant(
                        "B11",
                        "says that it can receive less",
                        () -> new Fault()
                                .out(p -> p.is("CONN_ACCEPT"), p -> p.options().removeIf(o -> o.type() == 0x1B))),
                new Variant("B12", "reports 1.5 us later", () -> new Fault().delay(1_500, p -> p.is("ACK"))),
                new Variant(
                        "B13",
                        "names other ids in CLOSE",
                        () -> new Fault()
                                .out(p -> p.is("CLOSE"), Variants::renumber)
                                .in(p -> p.is("CLOSE_ACK"), Variants::renumber)));
    }

    private static void renumber(Packet packet) {
        packet.set("close_id", packet.get("close_id") ^ 0x55);
    }
}
