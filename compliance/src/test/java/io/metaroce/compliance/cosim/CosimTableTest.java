package io.metaroce.compliance.cosim;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.compliance.adapter.model.ChoicePoint;
import io.metaroce.compliance.adapter.model.Field;
import io.metaroce.compliance.adapter.model.Happening;
import io.metaroce.compliance.adapter.model.Kind;
import io.metaroce.compliance.adapter.model.Names;
import io.metaroce.compliance.adapter.model.RecordLog;
import io.metaroce.compliance.adapter.model.Recording;
import io.metaroce.compliance.spec.Checkout;
import io.metaroce.compliance.spec.Json;
import io.metaroce.compliance.spec.Requirements;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Code, page and table of COSIM/1 say the same. */
class CosimTableTest {
    private final JsonNode table = Json.read(Checkout.spec().resolve("cosim.json"));

    @Test
    void numbersOfTheTableAreThoseOfTheCode() {
        assertThat(table.path("record_bytes").asInt()).isEqualTo(RecordLog.RECORD_BYTES);
        assertThat(table.path("route_bytes").asInt()).isEqualTo(Recording.ROUTE_BYTES);
        assertThat(table.path("effects_max").asInt()).isEqualTo(RecordLog.EFFECTS_MAX);
        assertThat(table.path("frame_bytes_max").asInt()).isEqualTo(Server.REQUEST_BYTES_MAX);
        assertThat(table.path("kinds")).hasSameSizeAs(Kind.values());
        for (JsonNode kind : table.path("kinds")) {
            Kind known = Objects.requireNonNull(Kind.of(kind.path("number").asInt()));
            assertThat(known.name()).isEqualTo(kind.path("name").asString());
            assertThat(known.isInput()).isEqualTo(kind.path("class").asString().equals("input"));
        }
        assertThat(table.path("states")).hasSameSizeAs(Happening.values());
        for (JsonNode state : table.path("states")) {
            Happening known = Happening.of(state.path("number").asLong());
            assertThat(known.label()).isEqualTo(state.path("what").asString());
            assertThat(known.isCompared()).isEqualTo(state.path("compared").asBoolean());
        }
        assertThat(table.path("choice_points")).hasSameSizeAs(ChoicePoint.values());
        for (JsonNode point : table.path("choice_points")) {
            assertThat(ChoicePoint.number(point.path("name").asString()))
                    .isEqualTo(point.path("number").asInt());
        }
        int reasons = 0;
        for (JsonNode reason : table.path("drop_reasons")) {
            reasons++;
            assertThat(Names.dropReason(reason.path("number").asInt()))
                    .isEqualTo(reason.path("name").asString());
        }
        assertThat(Names.dropReason(reasons + 1)).isEqualTo("none");
    }

    @Test
    void fieldsLieWhereTheTableSays() {
        int at = 0;
        for (JsonNode field : table.path("record")) {
            assertThat(field.path("offset").asInt()).isEqualTo(at);
            at += Integer.parseInt(field.path("type").asString().substring(1)) / 8;
        }
        assertThat(at).isEqualTo(RecordLog.RECORD_BYTES);
        for (Kind kind : Kind.values()) {
            for (Field field : Field.of(kind)) {
                boolean isThere = false;
                for (JsonNode row : table.path("record")) {
                    isThere |= row.path("offset").asInt() == field.at()
                            && row.path("type").asString().equals("u" + 8 * field.bytes());
                }
                assertThat(isThere).as(kind + " " + field.name()).isTrue();
            }
        }
    }

    @Test
    void requirementsThatMismatchesNameExist() {
        Requirements requirements = Requirements.load(Checkout.spec());
        for (Kind kind : Kind.values()) {
            for (Field field : Field.of(kind)) {
                assertThat(requirements.all())
                        .as(field.requirement())
                        .anyMatch(requirement -> requirement.id().equals(field.requirement()));
            }
        }
    }

    @Test
    void thePageHasEveryNameOfTheTable() throws IOException {
        String page = Files.readString(Checkout.root().resolve("docs/cosim.md"));
        for (JsonNode op : table.path("ops")) {
            assertThat(page).contains("`" + op.asString() + "`");
        }
        for (JsonNode field : table.path("record")) {
            assertThat(page)
                    .contains("| " + field.path("offset").asInt() + " | `"
                            + field.path("name").asString() + "` | "
                            + field.path("type").asString() + " |");
        }
        for (JsonNode kind : table.path("kinds")) {
            assertThat(page)
                    .contains("| " + kind.path("number").asInt() + " | `"
                            + kind.path("name").asString() + "` |");
        }
        for (JsonNode state : table.path("states")) {
            assertThat(page)
                    .contains("| " + state.path("number").asInt() + " | `"
                            + state.path("what").asString() + "` |");
        }
        for (JsonNode point : table.path("choice_points")) {
            assertThat(page)
                    .contains("| " + point.path("number").asInt() + " | `"
                            + point.path("name").asString() + "` |");
        }
        for (JsonNode reason : table.path("drop_reasons")) {
            assertThat(page)
                    .contains(reason.path("number").asInt() + " "
                            + reason.path("name").asString());
        }
        for (JsonNode error : table.path("errors")) {
            assertThat(page).contains("| `" + error.asString() + "` |");
        }
    }
}
