package io.metaroce.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.param.Profiles;
import io.metaroce.sim.App;
import io.metaroce.sim.Script;
import io.metaroce.sim.Script.Sent;
import io.metaroce.sim.ScriptPeer;
import io.metaroce.wire.BaseHeader;
import io.metaroce.wire.Tlv;
import io.metaroce.wire.model.Bytes;
import io.metaroce.wire.model.Packet;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Options that nobody knows: sent now and then, and skipped. */
class GreaseTest {
    private static final List<Integer> PARAMETERS = List.of(0x1F, 0x2F, 0x3F);
    private static final List<Integer> OPTIONS = List.of(0x4F, 0x5F, 0x6F, 0x7F);
    private static final int REPORTS = 1_000;

    @Test
    void typesKeptForNothingAreNotCriticalAndMeanNothing() {
        for (int i = 0; i < 10_000; i++) {
            int bits = Grease.bits(12_345, i);
            assertThat(PARAMETERS).contains(Grease.parameter(bits));
            assertThat(OPTIONS).contains(Grease.option(bits));
            assertThat(Tlv.isKnownParameter(Grease.parameter(bits))).isFalse();
        }
    }

    @Test
    void everyTypeKeptForNothingHasItsTurn() {
        for (int i = 0; i < 12; i++) {
            int bits = i << 8 | 0xFF;
            assertThat(Grease.parameter(bits)).isEqualTo(PARAMETERS.get(i % 3));
            assertThat(Grease.option(bits)).isEqualTo(OPTIONS.get(i % 4));
        }
        assertThat(Grease.option(0xFF00_0200)).as("sixteen bits count").isEqualTo(OPTIONS.get(2));
        assertThat(Grease.parameter(0xFF00_0200)).isEqualTo(PARAMETERS.get(2));
    }

    @Test
    void theBitsLookRandomForNeighboursToo() {
        int rounds = 4_096;
        for (int bit = 0; bit < Integer.SIZE; bit++) {
            int set = 0;
            int changes = 0;
            for (int i = 0; i < rounds; i++) {
                int bits = Grease.bits(99, i);
                set += bits >>> bit & 1;
                changes += (bits ^ Grease.bits(99, i + 1)) >>> bit & 1;
            }
            assertThat(set).as("ones of bit %d", bit).isBetween(rounds * 4 / 10, rounds * 6 / 10);
            assertThat(changes).as("changes of bit %d", bit).isBetween(rounds * 3 / 10, rounds * 7 / 10);
        }
    }

    @Test
    @Covers("R-HDR-016")
    void someReportsCarryAnOptionWithoutMeaning() {
        Script script = new Script(Profiles.model(), 1);
        App app = script.app(0, 1 << 16, 16);
        ScriptPeer peer = script.connect(app);
        for (int i = 0; i < REPORTS; i++) {
            script.after(10_000).deliver(write(peer, app, i));
        }
        List<Integer> found = new ArrayList<>();
        for (Sent sent : script.history()) {
            if (sent.packet() instanceof Packet.Ack ack) {
                ack.options().stream().map(Packet.Option::type).forEach(found::add);
            }
        }
        assertThat(found).hasSizeBetween(REPORTS / 256, REPORTS / 16).isSubsetOf(OPTIONS);
    }

    @Test
    @Covers("R-HDR-016")
    void someHandshakesCarryAParameterWithoutMeaning() {
        int carrying = 0;
        for (int seed = 0; seed < 40; seed++) {
            Script script = new Script(Profiles.model(), seed);
            script.connect(script.app(0, 1 << 10, 16));
            Packet.ConnectRequest request =
                    (Packet.ConnectRequest) script.history().get(0).packet();
            carrying += (int) request.options().stream()
                    .filter(option -> PARAMETERS.contains(option.type()))
                    .count();
        }
        assertThat(carrying).isBetween(2, 25);
    }

    @Test
    @Covers({"R-HDR-004", "R-HDR-016"})
    void theyAreSkippedWhereverTheyStand() {
        Script script = new Script(Profiles.model(), 1);
        App app = script.app(0, 1 << 16, 16);
        ScriptPeer peer = script.peer();
        peer.parameters().meaningless(0x2F, 42);
        script.connect(peer, app);
        assertThat(script.events()).contains("established");
        script.deliver(write(peer, app, 0)).after(10_000);
        assertThat(app.memory().get(0)).isEqualTo((byte) 1);
    }

    private static ScriptPeer.Crafted write(ScriptPeer peer, App app, int index) {
        Packet.Header plain = peer.slotHeader(0, index, BaseHeader.A | BaseHeader.X);
        Packet.Option unknown = new Packet.Option(0x5F, Bytes.of(new byte[] {1, 2, 3, 4, 5, 6}));
        return peer.craft(new Packet.Write(
                plain,
                new Packet.Message(0, 0, 0, 0x40, index, 0),
                app.region().key(),
                1,
                App.BASE + index,
                List.of(unknown),
                Bytes.of(new byte[] {1})));
    }
}
