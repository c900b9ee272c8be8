package io.metaroce.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.datagram.Address;
import io.metaroce.datagram.Datagram;
import io.metaroce.datagram.Ecn;
import io.metaroce.datagram.Transmit;
import io.metaroce.trace.DropReason;
import io.metaroce.wire.BaseHeader;
import io.metaroce.wire.SecuredHeader;
import io.metaroce.wire.WireFiles;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Packets in and out of their secured form. */
class SecuredPacketsTest {
    private static final byte[] PSK = new byte[16];
    private static final byte[] SAID = new byte[32];
    private static final Address NOWHERE = Address.ipv4(1, 1);
    private static final int CONN_ID = 0xC0FFEE01;

    private final ByteBuffer scratch = ByteBuffer.allocateDirect(16_384);
    private final ByteBuffer plain = ByteBuffer.allocateDirect(16_384);
    private final Datagram inner = new Datagram();
    private long nowNs = 1_000_000_000;

    // ---- known answers

    @Test
    void hkdfIsThatOfTheStandard() {
        // RFC 5869, test case 1.
        byte[] secret = hex("0b".repeat(22));
        byte[] key = Hkdf.extract(hex("000102030405060708090a0b0c"), secret);
        assertThat(key).isEqualTo(hex("077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5"));
        assertThat(Hkdf.expand(key, hex("f0f1f2f3f4f5f6f7f8f9"), 42))
                .isEqualTo(hex("3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"));
        // Test case 3: neither salt nor purpose.
        assertThat(Hkdf.expand(Hkdf.extract(new byte[0], secret), new byte[0], 42))
                .isEqualTo(hex("8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"));
    }

    @Test
    @Covers({"R-SEC-001", "R-HDR-001"})
    void thePacketsOfTheVectorsComeOutByteByByte() {
        assertThat(WireFiles.SECURED).isNotEmpty();
        for (JsonNode vector : WireFiles.SECURED) {
            String name = vector.get("name").asString();
            PhaseKeys keys = PhaseKeys.of(bytes(vector, "preshared_key"), bytes(vector, "transcript"), sender(vector));
            PhaseKeys.Pair pair = keys.phase(vector.get("phase").asInt());
            assertThat(pair.key().getEncoded()).as(name).isEqualTo(bytes(vector, "key"));
            byte[] packet = bytes(vector, "packet");
            byte[] expected = bytes(vector, "hex");
            SecuredHeader header = new SecuredHeader()
                    .wrap(scratch, 0)
                    .begin(
                            vector.get("phase").asInt(),
                            ByteBuffer.wrap(packet).getInt(4),
                            vector.get("counter").asLong());
            scratch.clear().position(SecuredHeader.LENGTH);
            // In two parts, as header and payload are.
            int half = packet.length / 3;
            new PacketCipher()
                    .encrypt(
                            pair,
                            header,
                            ByteBuffer.wrap(packet, 0, half),
                            ByteBuffer.wrap(packet, half, packet.length - half),
                            scratch);
            byte[] made = new byte[scratch.position()];
            scratch.get(0, made);
            assertThat(made).as(name).isEqualTo(expected);
            plain.clear();
            ByteBuffer in = ByteBuffer.wrap(expected, 16, expected.length - 16);
            assertThat(new PacketCipher().decrypt(pair, header, in, plain)).isTrue();
            byte[] opened = new byte[plain.position()];
            plain.get(0, opened);
            assertThat(opened).as(name).isEqualTo(packet);
        }
    }

    // ---- both ends

    @Test
    @Covers({"R-SEC-001", "R-SEC-005"})
    void theSamePacketTwiceLooksDifferentAndEachIsTakenOnce() {
        PacketSealer sealer = sealer(1_000);
        PacketOpener opener = opener();
        byte[] first = sealed(sealer, 100);
        byte[] second = sealed(sealer, 100);
        assertThat(first).hasSize(16 + 100 + 4 + 28).isNotEqualTo(second);
        assertThat(open(opener, second)).isNull();
        assertThat(open(opener, first)).isNull();
        assertThat(open(opener, first)).isEqualTo(DropReason.REPLAY);
        assertThat(open(opener, second)).isEqualTo(DropReason.REPLAY);
    }

    @Test
    @Covers("R-HDR-008")
    void aMarkOnTheWayCountsLikeOneInside() {
        PacketSealer sealer = sealer(1_000);
        byte[] bytes = sealed(sealer, 10);
        bytes[0] |= BaseHeader.M;
        PacketOpener opener = opener();
        assertThat(open(opener, bytes)).isNull();
        assertThat(plain.get(0)).isEqualTo((byte) 0x18);
        assertThat(open(opener, sealed(sealer, 10))).isNull();
        assertThat(plain.get(0)).isEqualTo((byte) 0x10);
    }

    @Test
    @Covers("R-SEC-001")
    void keysChangeAfterTheirPacketsAndCountersGoOn() {
        PacketSealer sealer = sealer(3);
        PacketOpener opener = opener();
        for (int i = 0; i < 2_000; i++) {
            byte[] bytes = sealed(sealer, i % 50);
            assertThat(bytes[1]).isEqualTo((byte) (i / 3)); // wraps, the keys do not
            assertThat(ByteBuffer.wrap(bytes).getLong(8)).isEqualTo(i + 1);
            assertThat(open(opener, bytes)).isNull();
        }
    }

    @Test
    void packetsOfThePhaseBeforeAreTakenAndOlderOnesNot() {
        PacketSealer sealer = sealer(2);
        List<byte[]> all = new ArrayList<>();
        for (int i = 0; i < 280; i++) {
            all.add(sealed(sealer, 8));
        }
        PacketOpener opener = opener();
        assertThat(open(opener, all.get(6))).isNull(); // phase 3: the three before are lost or late
        assertThat(open(opener, all.get(5))).isNull(); // phase 2
        assertThat(open(opener, all.get(3))).isEqualTo(DropReason.INTEGRITY); // phase 1
        assertThat(open(opener, all.get(262))).isEqualTo(DropReason.INTEGRITY); // phase 131 is too far
        assertThat(open(opener, all.get(260))).isNull(); // phase 130: all between are lost
        assertThat(open(opener, all.get(262))).isNull();
        assertThat(open(opener, all.get(261))).isNull();
    }

    @Test
    @Covers("R-SEC-001")
    void aForgedPhaseMovesNothing() {
        PacketSealer sealer = sealer(1_000);
        PacketOpener opener = opener();
        for (int phase = 0; phase < 256; phase++) {
            byte[] bytes = sealed(sealer, 8);
            bytes[1] = (byte) phase;
            nowNs += 1_000_000_000; // so that every one is tried
            assertThat(open(opener, bytes)).isEqualTo(phase == 0 ? null : DropReason.INTEGRITY);
        }
        assertThat(open(opener, sealed(sealer, 8))).isNull();
    }

    @Test
    @Covers("R-SEC-006")
    void forgedPhasesMakeNobodyDeriveManyKeys() {
        PacketSealer sealer = sealer(1);
        PacketOpener opener = opener();
        byte[] forged = sealed(sealer, 8);
        int tried = 0;
        for (int phase = 2; phase < 100; phase++) {
            forged[1] = (byte) phase;
            DropReason fault = open(opener, forged);
            tried += fault == DropReason.INTEGRITY ? 1 : 0;
            assertThat(fault).isIn(DropReason.INTEGRITY, DropReason.RATE_LIMITED);
        }
        assertThat(tried).isEqualTo(8);
        // The peer's own next phase is not held up; one that is far ahead is, until the next second.
        assertThat(open(opener, sealed(sealer, 8))).isNull();
        for (int lost = 0; lost < 3; lost++) {
            sealed(sealer, 8);
        }
        byte[] far = sealed(sealer, 8);
        assertThat(open(opener, far)).isEqualTo(DropReason.RATE_LIMITED);
        nowNs += 1_000_000_000;
        assertThat(open(opener, far)).isNull();
    }

    @Test
    @Covers("R-SEC-006")
    void genuinePacketsFarAheadAreNotCounted() {
        PacketSealer sealer = sealer(1);
        PacketOpener opener = opener();
        for (int i = 0; i < 50; i++) {
            sealed(sealer, 8);
            sealed(sealer, 8);
            assertThat(open(opener, sealed(sealer, 8))).as("three phases on").isNull();
        }
    }

    @Test
    void eachSideHasKeysOfItsOwn() {
        PacketSealer sealer = sealer(1_000);
        PacketOpener wrong = new PacketOpener(PhaseKeys.of(PSK, SAID, PhaseKeys.Sender.RESPONDER));
        assertThat(open(wrong, sealed(sealer, 8))).isEqualTo(DropReason.INTEGRITY);
        byte[] otherWords = new byte[32];
        otherWords[31] = 1;
        PacketOpener changed = new PacketOpener(PhaseKeys.of(PSK, otherWords, PhaseKeys.Sender.INITIATOR));
        assertThat(open(changed, sealed(sealer, 8))).isEqualTo(DropReason.INTEGRITY);
    }

    private static PacketSealer sealer(long perPhase) {
        return new PacketSealer(PhaseKeys.of(PSK, SAID, PhaseKeys.Sender.INITIATOR), perPhase);
    }

    private static PacketOpener opener() {
        return new PacketOpener(PhaseKeys.of(PSK, SAID, PhaseKeys.Sender.INITIATOR));
    }

    private byte[] sealed(PacketSealer sealer, int payloadBytes) {
        Transmit out = new Transmit();
        Seal.blank(out, BaseHeader.LENGTH);
        new BaseHeader().wrap(out.header(), 0).begin(0x20).dstConnId(CONN_ID);
        ByteBuffer memory = ByteBuffer.allocateDirect(7 + payloadBytes);
        out.payload(memory, 7, payloadBytes);
        sealer.seal(out, scratch);
        ByteBuffer bytes = ByteBuffer.allocate(out.length());
        out.copyTo(bytes, 0);
        assertThat(memory.position()).isZero();
        assertThat(memory.limit()).isEqualTo(memory.capacity());
        return bytes.array();
    }

    private @Nullable DropReason open(PacketOpener opener, byte[] bytes) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(bytes.length + 5).put(5, bytes);
        Datagram arrived = new Datagram().set(buffer, 5, bytes.length, 0, Ecn.ECT_0, () -> NOWHERE);
        DropReason fault = opener.open(nowNs, arrived, plain, inner);
        assertThat(buffer.position()).isZero();
        if (fault == null) {
            assertThat(inner.length()).isEqualTo(bytes.length - 28);
            assertThat(inner.buffer().getInt(4)).isEqualTo(CONN_ID);
        }
        return fault;
    }

    private static PhaseKeys.Sender sender(JsonNode vector) {
        return PhaseKeys.Sender.valueOf(vector.get("sender").asString().toUpperCase(Locale.ROOT));
    }

    private static byte[] bytes(JsonNode vector, String name) {
        return hex(vector.get(name).asString());
    }

    private static byte[] hex(String digits) {
        return HexFormat.of().parseHex(digits);
    }
}
