package io.metaroce.compliance.tests;

import io.metaroce.compliance.lt.App.Region;
import io.metaroce.compliance.lt.Peer;
import io.metaroce.compliance.lt.Seen;
import io.metaroce.compliance.lt.Talk;
import io.metaroce.compliance.lt.Traffic;
import io.metaroce.compliance.lt.codec.Codec;
import io.metaroce.compliance.lt.codec.Fields;
import io.metaroce.compliance.lt.codec.Packet;
import io.metaroce.compliance.utp.Pattern;
import java.util.Arrays;
import java.util.List;

/** WIRE: how packets look, and what becomes of those that look otherwise. */
final class WireTests {
    private static final int K = 1024;
    private static final int UNSUPPORTED = 6;

    private WireTests() {}

    /** One fragment, whole, of 64 bytes. */
    static Packet small(Region to, int msn, int at, long seed) {
        return Talk.write(0, msn, to, at, 0, 64, Pattern.bytes(seed, at, 64));
    }

    /** The window of the implementation as a receiver, in slots. */
    static int windowOf(Peer p) {
        return 1 << Math.max(8, (int) p.theirs("TRACK_WINDOW").get("track_window_log2"));
    }

    static void fill(Catalogue c) {
        layout(c);
        options(c);
        broken(c);
        addresses(c);
    }

    private static void layout(Catalogue c) {
        c.both("WIRE-01", "every packet sent is what the table says, to the last bit")
                .proves("R-HDR-001@1")
                .by(t -> {
                    Peer p = t.connected();
                    Region m = t.iut().region(64 * K, 1);
                    p.responder().stream(0).limit(8);
                    p.send(p.ack());
                    t.iut().write(1, m, 0, 32 * K);
                    t.iut().send(0, 2, m, 0, 100);
                    p.send(p.slot(0, small(m, 0, 0, 3)));
                    t.effective(
                            "both done",
                            t.until(() -> t.iut().isDone(1) && t.iut().isDone(2)));
                    boolean isSame = true;
                    for (Seen seen : t.sent().list()) {
                        isSame &= Arrays.equals(t.codec().encode(seen.packet(), p.seed()), seen.raw());
                    }
                    t.that("R-HDR-001", isSame, "packets written again from their fields are the same bytes");
                });
        c.both("WIRE-02", "reserved fields are ignored when set, and zero when sent")
                .proves("R-HDR-003@1")
                .by(t -> {
                    Peer p = t.connected();
                    Region m = t.iut().blank(K);
                    p.send(p.slot(0, small(m, 0, 0, 3).set("message_flags", 1)));
                    p.send(p.probe(0).set("reserved", 0xFFFF));
                    p.send(p.ack().set("reserved", 0xFF));
                    t.settle();
                    t.effective("the probe is answered", t.sent().named("ACK").count() > 0);
                    t.that("R-HDR-003", t.iut().holds(m, 0, 64, 3, 0), "a packet with reserved bits takes effect");
                    Traffic odd = t.sent()
                            .where(s -> s.packet().get("reserved") != 0
                                    || (s.packet().get("message_flags") & 1) != 0);
                    t.that("R-HDR-003", odd.isEmpty(), "reserved fields of sent packets are zero", odd);
                });
        c.sender("WIRE-11", "no packet is longer than what was agreed, and all fragments but the last are equal")
                .proves("R-HDR-011@1", "R-HDR-014@1")
                .by(t -> {
                    t.connected(t.peer().term("MAX_PAYLOAD", new Fields().put("max_payload", 2048)), 1);
                    Region m = t.iut().region(64 * K, 1);
                    t.iut().write(1, m, 0, 21 * K);
                    t.until(() -> t.iut().isDone(1));
                    Traffic all = t.sent().named("WRITE").fresh();
                    t.effective("fragments were sent", all.count() > 4);
                    t.that("R-HDR-011", all.all(s -> s.packet().payloadLength() <= 2048), "2048 bytes at most", all);
                    Traffic whole = all.where(
                            s -> s.packet().get("message_offset") + s.packet().payloadLength() < 21 * K);
                    t.that(
                            "R-HDR-014",
                            whole.all(s -> s.packet().payloadLength() == 2048
                                            || s.packet().payloadLength() == 1024)
                                    && whole.list().stream()
                                                    .map(s -> s.packet().payloadLength())
                                                    .distinct()
                                                    .count()
                                            == 1,
                            "all but the last carry one of the four sizes",
                            whole);
                });
        c.sender("WIRE-12", "slots and PROBEs travel in one class, with ECT(0)")
                .proves("R-HDR-013@1")
                .by(t -> {
                    Peer p = t.connected();
                    Region m = t.iut().region(64 * K, 1);
                    p.acknowledging(false);
                    t.iut().write(1, m, 0, 4 * K);
                    t.effective(
                            "a slot and a PROBE were sent",
                            t.until(() -> !t.sent().slots().isEmpty()
                                    && !t.sent().tails().isEmpty()));
                    Traffic data = t.sent().where(s -> s.is("PROBE") || s.is("WRITE"));
                    t.that("R-HDR-013", data.all(s -> s.dscp() != 1), "all in the class of data", data);
                    t.that("R-HDR-013", data.all(s -> s.ecn() == 2 || s.ecn() == -1), "all ECT(0)", data);
                });
        c.receiver("WIRE-15", "a rate is encoded rounding down")
                .proves("R-HINT-001@1")
                .by(t -> {
                    t.set("rx_capacity", 125_000_000);
                    Peer p = t.connected();
                    Region m = t.iut().blank(K);
                    p.send(p.slot(0, small(m, 0, 0, 3)));
                    t.effective("an ACK", t.until(() -> !t.sent().named("ACK").isEmpty()));
                    long code =
                            t.sent().named("ACK").last().orElseThrow().packet().get("rate_hint");
                    t.that("R-HINT-001", code == 0x4FA1, "1 Gbit/s is 0x4FA1, not 0x" + Long.toHexString(code));
                });
    }

    private static void options(Catalogue c) {
        c.receiver("WIRE-03", "an unknown option that is not critical is skipped")
                .proves("R-HDR-004@1")
                .by(t -> {
                    Peer p = t.connected();
                    Region m = t.iut().blank(K);
                    Packet write = small(m, 0, 0, 3).withFlags(Packet.X).option(0x4F, new byte[] {1, 2, 3, 4, 5, 6});
                    p.send(p.slot(0, write));
                    t.settle();
                    t.effective("received", t.iut().counter("rx_packets") > 1);
                    t.that("R-HDR-004", Talk.nextMsn(t, 0) == 1, "its message is complete");
                    t.that("R-HDR-004", t.iut().holds(m, 0, 64, 3, 0), "its payload is in place");
                    t.that(
                            "R-HDR-004",
                            t.sent().named("NAK").isEmpty(),
                            "nobody complains",
                            t.sent().named("NAK"));
                });
        c.receiver("WIRE-04", "an unknown critical option drops the packet, keeps its slot open, and draws a NAK")
                .proves("R-HDR-005@1")
                .by(t -> {
                    Peer p = t.connected();
                    Region m = t.iut().blank(K);
                    Packet plain = p.slot(0, small(m, 0, 0, 3));
                    p.send(plain.copy().withFlags(Packet.X).option(0xCF, new byte[] {0, 0}));
                    t.effective("a NAK", t.until(() -> !t.sent().named("NAK").isEmpty()));
                    Traffic naks = t.sent().named("NAK");
                    t.that("R-HDR-005", naks.all(s -> s.packet().get("code") == UNSUPPORTED), "UNSUPPORTED", naks);
                    t.that("R-HDR-005", t.iut().isBlank(m, 0, K), "nothing is placed");
                    p.send(p.again(plain));
                    t.settle();
                    t.that("R-HDR-005", t.iut().holds(m, 0, 64, 3, 0), "the slot was not consumed");
                });
        c.receiver("WIRE-05", "an option without length, or one beyond the packet, drops it")
                .proves("R-HDR-006@1", "R-OBS-003@1")
                .by(t -> {
                    Peer p = t.connected();
                    Region m = t.iut().blank(K);
                    Packet write =
                            p.slot(0, small(m, 0, 0, 3).withFlags(Packet.X).option(0x4F, new byte[6]));
                    long before = drops(t);
                    for (int words : new int[] {0, 200}) {
                        byte[] bytes = p.encode(write);
                        bytes[45] = (byte) words; // length of the first option, right behind the headers of a WRITE
                        p.sendRaw(Codec.sealed(bytes, p.theirSeed()));
                    }
                    t.settle();
                    t.effective("two drops", t.iut().counter("drop_tlv") == 2);
                    t.that("R-HDR-006", t.iut().isBlank(m, 0, K), "nothing is placed");
                    t.that("R-OBS-003", drops(t) - before == 2, "each drop is counted once");
                });
    }

    static long drops(io.metaroce.compliance.lt.Trial t) {
        long sum = 0;
        for (String reason : List.of(
                "short",
                "version",
                "opcode",
                "no_connection",
                "integrity",
                "length",
                "tlv",
                "tlv_critical",
                "state",
                "protocol",
                "window",
                "policed",
                "stale_report",
                "rate_limited",
                "handshake",
                "reset_token",
                "unexpected")) {
            sum += t.iut().counter("drop_" + reason);
        }
        return sum;
    }

    private static void broken(Catalogue c) {
        c.receiver("WIRE-06", "an unknown opcode below 0x80 draws a NAK, an experiment and an unknown version nothing")
                .proves("R-HDR-012@1")
                .by(t -> {
                    Peer p = t.connected();
                    Region m = t.iut().blank(K);
                    byte[] bytes = p.encode(p.slot(0, small(m, 0, 0, 3)));
                    bytes[1] = 0x27;
                    p.sendRaw(Codec.sealed(bytes, p.theirSeed()));
                    t.effective("a NAK", t.until(() -> !t.sent().named("NAK").isEmpty()));
                    Traffic naks = t.sent().named("NAK");
                    t.that("R-HDR-012", naks.all(s -> s.packet().get("code") == UNSUPPORTED), "UNSUPPORTED", naks);
                    int before = t.mark();
                    bytes[1] = (byte) 0x90;
                    p.sendRaw(Codec.sealed(bytes, p.theirSeed()));
                    bytes[1] = 0x20;
                    bytes[0] = 0x20;
                    p.sendRaw(Codec.sealed(bytes, p.theirSeed()));
                    t.run(t.rttNs() * 3);
                    t.that("R-HDR-012", t.since(before).withoutNews().isEmpty(), "silence", t.since(before));
                    t.that("R-HDR-012", t.iut().isBlank(m, 0, K), "nothing is placed");
                    t.that("R-HDR-012", t.iut().counter("drop_version") >= 1, "and they are counted");
                });
        c.receiver("WIRE-07", "a packet shorter than its fixed headers is dropped in silence and counted")
                .proves("R-HDR-002@1")
                .by(t -> {
                    Peer p = t.connected();
                    Region m = t.iut().blank(K);
                    byte[] whole = p.encode(p.slot(0, small(m, 0, 0, 3)));
                    long before = drops(t);
                    int mark = t.mark();
                    int sent = 0;
                    for (int length : new int[] {0, 1, 15, 20, 24, 32, 40, 47}) {
                        byte[] cut = Arrays.copyOf(whole, length);
                        p.sendRaw(length < 20 ? cut : Codec.sealed(cut, p.theirSeed()));
                        sent++;
                    }
                    t.run(t.rttNs() * 3);
                    t.effective("dropped", drops(t) > before);
                    t.that("R-HDR-002", drops(t) - before == sent, "each is counted: " + (drops(t) - before));
                    t.that("R-HDR-002", t.since(mark).withoutNews().isEmpty(), "silence", t.since(mark));
                    t.that("R-HDR-002", t.iut().isBlank(m, 0, K), "nothing is placed");
                });
        c.receiver("WIRE-08", "one flipped bit anywhere changes nothing but a counter")
                .proves("R-HDR-007@1")
                .by(t -> {
                    Peer p = t.connected();
                    Region m = t.iut().blank(K);
                    byte[] whole = p.encode(p.slot(0, small(m, 0, 0, 3)));
                    int mark = t.mark();
                    for (int at = 8; at < whole.length; at += at < 48 ? 1 : 5) {
                        byte[] bad = whole.clone();
                        bad[at] ^= (byte) (1 << (at & 7));
                        p.sendRaw(bad);
                    }
                    t.run(t.rttNs() * 3);
                    t.effective("received", t.until(() -> t.iut().counter("rx_packets") > 40));
                    t.that("R-HDR-007", t.since(mark).withoutNews().isEmpty(), "silence", t.since(mark));
                    t.that("R-HDR-007", t.iut().isBlank(m, 0, K), "memory is as it was");
                    p.sendRaw(whole);
                    t.settle();
                    t.that("R-HDR-007", t.iut().holds(m, 0, 64, 3, 0), "the whole one is accepted afterwards");
                });
        c.receiver("WIRE-09", "flag M set on the way leaves the packet valid and counts as a mark")
                .proves("R-HDR-008@1")
                .by(t -> {
                    Peer p = t.connected();
                    Region m = t.iut().blank(K);
                    byte[] bytes = p.encode(p.slot(0, small(m, 0, 0, 3)));
                    bytes[0] |= 8;
                    p.sendRaw(bytes);
                    t.settle();
                    t.effective("a block of path 0", Talk.block(t.sent(), 0).isPresent());
                    t.that("R-HDR-008", t.iut().holds(m, 0, 64, 3, 0), "it takes effect");
                    t.that(
                            "R-HDR-008",
                            Talk.block(t.sent(), 0).orElseThrow().get("ce_packets") == 1,
                            "one mark is reported");
                });
        c.receiver("WIRE-14", "a fragment beyond its message places nothing and fails its stream")
                .proves("R-HDR-015@1")
                .by(t -> {
                    Peer p = t.connected();
                    Region m = t.iut().blank(8 * K);
                    p.send(p.slot(0, Talk.write(0, 0, m, 0, 0, 64, Pattern.bytes(1, 0, 65))));
                    t.effective("an answer", t.until(() -> Talk.update(t, 0).isPresent()));
                    t.settle();
                    t.that("R-HDR-015", t.iut().isBlank(m, 0, 8 * K), "nothing is placed");
                    boolean isTold =
                            t.until(() -> Talk.update(t, 0).orElseThrow().get("code") == 3);
                    t.that("R-HDR-015", isTold, "INV_REQ is told");
                });
        c.both("WIRE-17", "counters can be read while traffic runs")
                .proves("R-OBS-001@1")
                .by(t -> {
                    Peer p = t.connected();
                    Region m = t.iut().region(256 * K, 1);
                    p.responder().stream(0).hold(true);
                    t.iut().write(1, m, 0, 256 * K);
                    t.effective(
                            "half way", t.until(() -> t.sent().named("WRITE").count() > 8));
                    long sent = t.iut().counter("tx_slots");
                    t.that("R-OBS-001", sent > 0, "tx_slots says " + sent);
                    t.effective("its message is not done", !t.iut().isDone(1));
                    p.responder().stream(0).hold(false);
                    p.send(p.ack());
                    t.that("R-OBS-001", t.until(() -> t.iut().isDone(1)) && p.isEstablished(), "and all goes on");
                    t.that("R-OBS-001", t.iut().counter("tx_slots") == 64, "64 slots in the end");
                });
        c.both("ROB-01", "random, cut and flipped packets neither stop a transfer nor write outside a region")
                .proves("R-SEC-002@1")
                .by(t -> {
                    Peer p = t.connected();
                    Region m = t.iut().blank(64 * K);
                    Region from = t.iut().region(64 * K, 9);
                    t.iut().write(1, from, 0, 64 * K);
                    long state = 42;
                    int broken = 0;
                    for (int i = 0; i < 64; i++) {
                        Packet part = p.slot(i % 4, small(m, i, i * 64, 3));
                        byte[] bytes = p.encode(part);
                        for (int k = 0; k < 12; k++) {
                            state = state * 6364136223846793005L + 1442695040888963407L;
                            byte[] bad = Arrays.copyOf(bytes, 1 + (int) ((state >>> 33) % bytes.length));
                            boolean isSealed = bad.length >= 20 && bad.length < 48;
                            bad[(int) ((state >>> 40) % bad.length)] ^= (byte) (isSealed ? 0 : 0x10 << (state >>> 62));
                            p.sendRaw(isSealed ? Codec.sealed(bad, p.theirSeed()) : bad);
                            broken++;
                        }
                        p.sendRaw(bytes);
                        t.run(t.rttNs() / 4);
                    }
                    t.settle();
                    t.effective("many were dropped", broken > 700 && drops(t) > 600);
                    t.that("R-SEC-002", t.until(() -> t.iut().isDone(1)), "its own message is done");
                    t.that("R-SEC-002", t.iut().holds(m, 0, 64 * 64, 3, 0), "the good packets took effect");
                    t.that("R-SEC-002", t.iut().isBlank(m, 64 * 64, 60 * K), "and nothing else did");
                });
    }

    private static void addresses(Catalogue c) {
        c.receiver(
                        "WIRE-10",
                        "a connection is found by its number, from whatever port; answers go where was advertised")
                .proves("R-HDR-009@1", "R-HDR-010@1")
                .by(t -> {
                    Peer p = t.connected();
                    Region m = t.iut().blank(K);
                    for (int i = 0; i < 8; i++) {
                        p.sendFrom(60_000 + i, p.slot(0, small(m, i, 64 * i, 3)));
                    }
                    t.settle();
                    t.effective("acknowledged", Talk.nextMsn(t, 0) == 8);
                    t.that("R-HDR-009", t.iut().holds(m, 0, 512, 3, 0), "all eight take effect");
                    t.that("R-HDR-010", t.sent().all(s -> s.port() >= 0), "no packet to an observed port");
                    byte[] other = p.encode(p.slot(0, small(m, 8, 512, 3)));
                    other[7] ^= 1;
                    p.sendRaw(Codec.sealed(other, p.theirSeed()));
                    t.settle();
                    t.that("R-HDR-009", t.iut().isBlank(m, 512, 512), "another number is another connection");
                });
    }
}
