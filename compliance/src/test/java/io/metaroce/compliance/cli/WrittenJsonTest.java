package io.metaroce.compliance.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.metaroce.compliance.spec.Checkout;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the suite writes as JSON is as the schemas of {@code docs/schemas} say. */
class WrittenJsonTest {
    @Test
    void aReportInVirtualTime(@TempDir Path folder) throws Exception {
        SuiteRun run = SuiteRun.of("--target", "self", "--select", "PATH-0*", "--out_dir", folder.toString());
        assertThat(run.code()).as(run.told()).isZero();
        assertReport(folder);
    }

    @Test
    void aReportOverSocketsWhereSomeTestsDoNotApply(@TempDir Path folder) throws Exception {
        SuiteRun run = SuiteRun.of("--target", "udp", "--select", "PLANE-0*", "--out_dir", folder.toString());
        assertThat(run.code()).as(run.told()).isZero();
        assertThat(Files.readString(folder.resolve("results.json")))
                .contains("NOT_APPLICABLE")
                .doesNotContain("elapsed_ns");
        assertReport(folder);
    }

    @Test
    void theMatrixOfRequirements(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("coverage.json");
        PrintWriter out = new PrintWriter(new StringWriter());
        assertThat(Main.run(out, out, "compliance", "coverage", "--out_json_file", file.toString()))
                .isZero();
        assertSchema("compliance-coverage", file);
    }

    private static void assertReport(Path folder) throws IOException {
        assertSchema("compliance-results", folder.resolve("results.json"));
        assertSchema("compliance-manifest", folder.resolve("manifest.json"));
        try (Stream<Path> tests = Files.list(folder.resolve("evidence"))) {
            List<Path> all = tests.toList();
            assertThat(all).isNotEmpty();
            for (Path test : all) {
                assertSchema("compliance-checks", test.resolve("checks.json"));
            }
        }
    }

    private static void assertSchema(String name, Path file) throws IOException {
        Path docs = Checkout.spec().resolveSibling("docs/schemas");
        Schema schema = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                .getSchema(Files.readString(docs.resolve(name + ".schema.json")), InputFormat.JSON);
        List<Error> faults = schema.validate(Files.readString(file), InputFormat.JSON);
        assertThat(faults).as(file.toString()).isEmpty();
    }
}
