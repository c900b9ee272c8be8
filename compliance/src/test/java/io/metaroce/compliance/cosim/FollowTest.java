package io.metaroce.compliance.cosim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A device leads, the model follows and finds what the device does wrong. */
class FollowTest {
    @Test
    void aGoodDeviceIsFollowedToTheSameState() {
        Followed followed = new Followed(new Session(SessionTest.CODEC), effect -> List.of(effect));
        followed.talk();
        assertThat(followed.refusals()).isEmpty();
        assertThat(followed.compared()).isGreaterThan(40);
        assertThat(followed.effects(followed.responder, "CQE")).hasSize(2);
        assertThat(followed.modelHash()).isEqualTo(followed.hash(followed.responder));
    }

    @Test
    void aDeviceThatPlacesElsewhereIsFound() {
        assertThat(found(changing(
                        "PLACE", place -> place.put("off", place.path("off").asLong() + 1))))
                .isEqualTo("R-ORD-001");
    }

    @Test
    void aDeviceThatPlacesOtherBytesIsFound() {
        assertThat(found(changing("PLACE", place -> place.put("crc32c", 1)))).isEqualTo("R-ORD-001");
    }

    @Test
    void aDeviceThatPlacesTwiceIsFound() {
        List<Boolean> done = new ArrayList<>();
        Followed followed = new Followed(new Session(SessionTest.CODEC), effect -> {
            if (effect.path("kind").asString().equals("CQE") && done.isEmpty()) {
                done.add(true);
                ObjectNode again = effect.deepCopy().put("kind", "PLACE");
                return List.of(effect, again);
            }
            return List.of(effect);
        });
        followed.talk();
        assertThat(followed.mismatches()).isNotEmpty().first().isEqualTo("R-MEM-003");
    }

    @Test
    void aDeviceThatCompletesBeforeItPlacedIsFound() {
        Followed followed = new Followed(new Session(SessionTest.CODEC), new java.util.function.Function<>() {
            private final List<ObjectNode> held = new ArrayList<>();
            private int placed;

            @Override
            public List<ObjectNode> apply(ObjectNode effect) {
                String kind = effect.path("kind").asString();
                if (kind.equals("PLACE") && placed++ >= 5) {
                    held.add(effect);
                    return List.of();
                }
                if (kind.equals("CQE") && !held.isEmpty()) {
                    List<ObjectNode> out = new ArrayList<>(List.of(effect));
                    out.addAll(held);
                    held.clear();
                    return out;
                }
                return List.of(effect);
            }
        });
        followed.talk();
        assertThat(followed.mismatches()).isNotEmpty().first().isEqualTo("R-ORD-001");
        assertThat(followed.refusals().get(0).path("got").asString()).isEqualTo("CQE");
    }

    @Test
    void aWrongStatusIsFound() {
        assertThat(found(changing("CQE", done -> done.put("status", "WR_FLUSH_ERR"))))
                .isEqualTo("R-ERR-001");
    }

    @Test
    void completionsOutOfOrderAreFound() {
        assertThat(found(changing("CQE", done -> done.put("wr", 5)))).isEqualTo("R-ORD-002");
    }

    @Test
    void aDeviceThatDropsWhatIsRightIsFound() {
        assertThat(found(changing(
                        "RX_ACCEPT", verdict -> verdict.put("kind", "RX_DROP").put("reason", "integrity"))))
                .isEqualTo("R-HDR-007");
    }

    @Test
    void aSpoiledPacketIsFound() {
        assertThat(found(changing("TX", sent -> {
                    String hex = sent.path("hex").asString();
                    sent.put("hex", hex.substring(0, hex.length() - 2) + (hex.endsWith("00") ? "11" : "00"));
                })))
                .isEqualTo("R-HDR-007");
    }

    @Test
    void aReportOfAMismatchSaysWhatWasExpectedAndWhatWentBefore() {
        Followed followed = new Followed(
                new Session(SessionTest.CODEC), changing("CQE", done -> done.put("status", "WR_FLUSH_ERR")));
        followed.talk();
        JsonNode refusal = followed.refusals().get(0);
        assertThat(refusal.path("err").asString()).isEqualTo("E_MISMATCH");
        assertThat(refusal.path("field").asString()).isEqualTo("status");
        assertThat(refusal.path("exp").asString()).isEqualTo("0");
        assertThat(refusal.path("got").asString()).isEqualTo("5");
        assertThat(refusal.path("last8")).hasSize(8);
    }

    private static java.util.function.Function<ObjectNode, List<ObjectNode>> changing(
            String kind, Consumer<ObjectNode> change) {
        return effect -> {
            if (effect.path("kind").asString().equals(kind)) {
                change.accept(effect);
            }
            return List.of(effect);
        };
    }

    private static String found(java.util.function.Function<ObjectNode, List<ObjectNode>> fault) {
        Followed followed = new Followed(new Session(SessionTest.CODEC), fault);
        followed.talk();
        assertThat(followed.mismatches()).isNotEmpty();
        return followed.mismatches().get(0);
    }
}
