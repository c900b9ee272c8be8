package io.metaroce.compliance.selftest;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.compliance.cosim.Followed;
import io.metaroce.compliance.cosim.Session;
import io.metaroce.compliance.lt.codec.Codec;
import io.metaroce.compliance.lt.codec.Packet;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** Devices that are broken as those of the self-test are: following them finds the requirement they violate. */
class FollowFaultTest {
    private static final Codec CODEC = Codec.ofCheckout();

    @Test
    void aMutantOfTheSelfTestIsFoundByComparison() {
        Mutant mutant = Mutants.all().stream()
                .filter(each -> each.title().equals("CumPSN is one too high"))
                .findFirst()
                .orElseThrow();
        Followed followed = followed(mutant.fault());
        assertThat(followed.mismatches()).isNotEmpty().first().isEqualTo(mutant.requirement());
    }

    @Test
    void aDeviceThatTakesBackWhatItReportedIsFound() {
        int[] count = {0};
        Followed followed = followed(() -> new Fault()
                .out(
                        packet -> packet.is("ACK")
                                && !packet.fields().list("path_blocks").isEmpty()
                                && count[0]++ % 2 == 1,
                        Mutants.blocks(block -> block.put("cum_psn", block.get("cum_psn") - 2))));
        assertThat(followed.mismatches()).isNotEmpty().first().isEqualTo("R-SACK-003");
    }

    @Test
    void aDeviceThatSendsOtherBytesIsFound() {
        Followed followed = followed(() -> new Fault().out(packet -> packet.is("READ_RESP"), packet -> {
            byte[] payload = packet.payload();
            payload[7] ^= 1;
            packet.payload(payload);
        }));
        assertThat(followed.mismatches()).isNotEmpty().first().isEqualTo("R-READ-002");
        assertThat(followed.refusals().get(0).path("field").asString()).isEqualTo("payload");
    }

    @Test
    void aDeviceThatReportsWhatIsNotCompleteIsFound() {
        Followed followed = followed(() -> new Fault()
                .out(
                        packet -> packet.is("ACK")
                                && !packet.fields().list("stream_updates").isEmpty(),
                        Mutants.updates(update -> update.put("next_msn", update.get("next_msn") + 1))));
        assertThat(followed.mismatches()).isNotEmpty().first().isEqualTo("R-ORD-001");
    }

    private static Followed followed(Supplier<Fault> faults) {
        Fault fault = faults.get();
        Followed followed = new Followed(new Session(CODEC), (effect, seed) -> told(fault, effect, seed));
        followed.talk();
        assertThat(fault.hits()).as("the fault came about").isPositive();
        return followed;
    }

    private static List<ObjectNode> told(Fault fault, ObjectNode effect, int seed) {
        byte[] sent = HexFormat.of().parseHex(effect.path("hex").asString(""));
        Packet packet = CODEC.decode(sent, seed).packet();
        if (!effect.path("kind").asString().equals("TX") || packet == null) {
            return List.of(effect);
        }
        List<ObjectNode> out = new ArrayList<>();
        for (Packet each : fault.leaving(packet)) {
            out.add(effect.deepCopy().put("hex", HexFormat.of().formatHex(CODEC.encode(each, seed))));
        }
        return out;
    }
}
