package io.metaroce.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.datagram.Ecn;
import io.metaroce.trace.DropReason;
import io.metaroce.wire.model.Bytes;
import io.metaroce.wire.model.Packet;
import io.metaroce.wire.model.PacketCodec;
import io.metaroce.wire.model.PacketPrinter;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;

/** Packets come back as they went, and nothing that arrives can make the checks or the accessors throw. */
class PacketProperties {
    private final PacketCodec codec = new PacketCodec();
    private final PacketView view = new PacketView();

    @Provide
    Arbitrary<Packet> packets() {
        return RandomPackets.all();
    }

    @Property(tries = 2000)
    void packetsComeBackAsTheyWent(@ForAll("packets") Packet packet, @ForAll int seed) {
        byte[] bytes = codec.encode(packet, seed);
        assertThat(Received.check(view, bytes, seed)).isNull();
        assertThat(PacketCodec.decode(view)).isEqualTo(packet);
        assertThat(codec.encode(PacketCodec.decode(view), seed)).isEqualTo(bytes);
    }

    @Property(tries = 500)
    @Covers({"R-HDR-007", "R-HDR-008"})
    void onlyTheMarkMayChangeInTransit(@ForAll("packets") Packet packet, @ForAll int seed) {
        byte[] bytes = codec.encode(packet, seed);
        for (int bit = 0; bit < bytes.length * 8; bit++) {
            byte[] flipped = bytes.clone();
            flipped[bit / 8] ^= (byte) (0x80 >> (bit % 8));
            boolean isMark = bit == 4;
            view.open(Received.datagram(flipped, Ecn.ECT_0));
            assertThat(view.trailerMatches(seed)).as("bit %d", bit).isEqualTo(isMark);
        }
    }

    @Property(tries = 5000)
    @Covers("R-SEC-002")
    void anyBytesAreDroppedOrReadable(@ForAll @Size(max = 300) byte[] bytes) {
        look(bytes);
        if (bytes.length > 1) {
            bytes[0] = (byte) ((BaseHeader.VERSION_1 << 4) | (bytes[0] & 0xF));
            look(bytes);
        }
    }

    @Property(tries = 3000)
    @Covers({"R-SEC-002", "R-HDR-002"})
    void cutPacketsAreDroppedOrReadable(@ForAll("packets") Packet packet, @ForAll Random random) {
        byte[] bytes = codec.encode(packet, 0);
        look(Arrays.copyOf(bytes, random.nextInt(bytes.length)));
    }

    @Property(tries = 10_000)
    @Covers("R-SEC-002")
    void damagedPacketsAreDroppedOrReadable(@ForAll("packets") Packet packet, @ForAll Random random) {
        byte[] bytes = codec.encode(packet, 0);
        // Damage in the headers does more than damage in the payload.
        int range = random.nextBoolean() ? Math.min(bytes.length, 64) : bytes.length;
        for (int i = random.nextInt(4); i >= 0; i--) {
            int at = random.nextInt(range);
            bytes[at] = (byte) (random.nextBoolean() ? random.nextInt(256) : bytes[at] ^ (1 << random.nextInt(8)));
        }
        look(bytes);
    }

    @Property(tries = 3000)
    @Covers("R-SEC-002")
    void anyParametersAreRefusedOrRead(@ForAll Random random) {
        Vector vector = WireFiles.good("conn_req_full");
        byte[] bytes = vector.bytes();
        for (int i = random.nextInt(3); i >= 0; i--) {
            bytes[36 + random.nextInt(330)] = (byte) random.nextInt(256);
        }
        look(bytes);
    }

    /** Runs all checks whatever they find, and reads all there is when they find nothing. */
    private void look(byte[] bytes) {
        DropReason fault = view.open(Received.datagram(bytes, Ecn.CE));
        if (fault == DropReason.SHORT) {
            return;
        }
        view.trailerMatches(0);
        view.isMarked();
        if (view.isRequestOfAnotherVersion()) {
            view.connectRequest().nonce();
        }
        if (fault != null || view.parse() != null) {
            return;
        }
        Packet packet = PacketCodec.decode(view);
        assertThat(PacketPrinter.line(packet)).isNotEmpty();
        assertThat(view.payloadLength()).isGreaterThanOrEqualTo(0);
        view.rsn();
        view.immediate();
        view.messageLength();
        for (int i = 0; i < view.pathBlockCount(); i++) {
            view.pathBlock(i).bitmapWord(PathBlock.WORDS_MAX - 1);
        }
        for (int i = 0; i <= view.probeEchoCount(); i++) {
            view.probeEcho(i);
        }
        readParameters();
    }

    private void readParameters() {
        ConnectParameters parameters = new ConnectParameters();
        if (view.tlvEnd() > view.tlvOffset()) {
            parameters.read(view.buffer(), view.tlvOffset(), view.tlvEnd());
        }
        assertThat(List.of(parameters.planes(), Bytes.of(parameters.privateData())))
                .isNotEmpty();
    }
}
