package io.metaroce.tools;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** One of the schemas of {@code docs/schemas}. */
public final class JsonSchema {
    private final Schema schema;

    private JsonSchema(Schema schema) {
        this.schema = schema;
    }

    /** The schema in {@code docs/schemas/NAME.schema.json}. */
    public static JsonSchema named(String name) throws IOException {
        Path file = Checkout.root().resolve("docs/schemas").resolve(name + ".schema.json");
        SchemaRegistry registry = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);
        return new JsonSchema(registry.getSchema(Files.readString(file), InputFormat.JSON));
    }

    /** Fails unless the text is as the schema says. */
    public void accepts(String json) {
        List<Error> faults = schema.validate(json, InputFormat.JSON);
        assertThat(faults).as(json).isEmpty();
    }
}
