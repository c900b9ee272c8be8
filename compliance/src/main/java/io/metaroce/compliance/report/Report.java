package io.metaroce.compliance.report;

import io.metaroce.compliance.lt.Seen;
import io.metaroce.compliance.run.Result;
import io.metaroce.compliance.spec.Json;
import io.metaroce.compliance.spec.Sha256;
import io.metaroce.compliance.verdict.Checks;
import io.metaroce.compliance.verdict.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Writes the folder of a run. */
public final class Report {
    private Report() {}

    /** Writes JSON, page, JUnit XML, summary, evidence of each test that ran, and the manifest of all these files. */
    public static void write(Outcome outcome, Path folder) throws IOException {
        Files.createDirectories(folder);
        forget(folder.resolve("evidence"));
        Files.writeString(folder.resolve("results.json"), Json.pretty(outcome.json()));
        Files.writeString(folder.resolve("index.html"), Html.of(outcome));
        Files.writeString(folder.resolve("junit.xml"), JUnitXml.of(outcome));
        StringBuilder summary = new StringBuilder();
        outcome.troubles()
                .forEach(result -> summary.append(result.test().id())
                        .append(' ')
                        .append(result.verdict())
                        .append(": ")
                        .append(result.reason())
                        .append('\n'));
        outcome.gaps().forEach(gap -> summary.append(gap).append('\n'));
        summary.append(outcome.sentence())
                .append('\n')
                .append(outcome.summary())
                .append('\n');
        Files.writeString(folder.resolve("summary.txt"), summary);
        for (Result result : outcome.results()) {
            if (result.verdict() != Verdict.NOT_APPLICABLE) {
                evidence(
                        outcome,
                        result,
                        folder.resolve("evidence").resolve(result.test().id()));
            }
        }
        Files.writeString(folder.resolve(Manifest.NAME), Json.pretty(Manifest.of(outcome, folder)));
    }

    /** Evidence of an earlier run is no evidence of this one. */
    private static void forget(Path evidence) throws IOException {
        if (Files.isDirectory(evidence)) {
            for (Path file : Sha256.files(evidence)) {
                Files.delete(file);
            }
        }
    }

    private static void evidence(Outcome outcome, Result result, Path folder) throws IOException {
        Files.createDirectories(folder);
        StringBuilder trace = new StringBuilder();
        for (Seen seen : result.ledger()) {
            ObjectNode node = Json.object()
                    .put("t", seen.atNs())
                    .put("from", seen.fromIut() ? "iut" : "tester")
                    .put("plane", seen.plane())
                    .put("port", seen.port())
                    .put("lost", seen.isLost());
            if (seen.decoded() != null) {
                node.put("packet", seen.packet().name())
                        .put("fields", seen.packet().fields().toString());
            }
            if (seen.drop() != null) {
                node.put("drop", seen.drop());
            }
            node.put("hex", HexFormat.of().formatHex(seen.raw(), 0, Math.min(seen.raw().length, 96)));
            trace.append(Json.line(node)).append('\n');
        }
        Files.writeString(folder.resolve("trace.ndjson"), trace);
        StringBuilder spoken = new StringBuilder();
        result.spoken().forEach(said -> spoken.append(Json.line(said)).append('\n'));
        Files.writeString(folder.resolve("utp.ndjson"), spoken);
        Files.writeString(folder.resolve("checks.json"), Json.pretty(checks(result)));
        Files.write(folder.resolve("wire.pcapng"), PcapNg.of(result.ledger()));
        Files.writeString(folder.resolve("repro.txt"), outcome.repro(result) + "\n");
    }

    private static ObjectNode checks(Result result) {
        ObjectNode root = Json.object()
                .put("schema", "compliance-checks@1")
                .put("test", result.test().id())
                .put("verdict", result.verdict().name())
                .put("reason", result.reason());
        ArrayNode list = root.putArray("checks");
        for (Checks.Check check : result.checks()) {
            list.addObject()
                    .put("requirement", check.requirement())
                    .put(
                            "by",
                            check.isMonitor() ? "monitor" : check.requirement().isEmpty() ? "effect" : "test")
                    .put("level", check.isAdvice() ? "should" : "must")
                    .put("ok", check.isOk())
                    .put("detail", check.detail());
        }
        return root;
    }
}
