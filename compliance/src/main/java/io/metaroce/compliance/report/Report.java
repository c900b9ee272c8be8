package io.metaroce.compliance.report;

import io.metaroce.compliance.lt.Seen;
import io.metaroce.compliance.run.Result;
import io.metaroce.compliance.spec.Json;
import io.metaroce.compliance.verdict.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import tools.jackson.databind.node.ObjectNode;

/** Writes the folder of a run. */
public final class Report {
    private Report() {}

    /** Writes JSON, page, JUnit XML, and packets and events of each test that ran. */
    public static void write(Outcome outcome, Path folder) throws IOException {
        Files.createDirectories(folder);
        Files.writeString(folder.resolve("results.json"), Json.pretty(outcome.json()));
        Files.writeString(folder.resolve("index.html"), Html.of(outcome));
        Files.writeString(folder.resolve("junit.xml"), JUnitXml.of(outcome));
        for (Result result : outcome.results()) {
            if (result.verdict() != Verdict.NOT_APPLICABLE) {
                evidence(
                        outcome,
                        result,
                        folder.resolve("evidence").resolve(result.test().id()));
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
        StringBuilder events = new StringBuilder();
        result.events().forEach(event -> events.append(Json.line(event)).append('\n'));
        Files.writeString(folder.resolve("utp.ndjson"), events);
        Files.write(folder.resolve("wire.pcapng"), PcapNg.of(result.ledger()));
        Files.writeString(
                folder.resolve("repro.txt"),
                "./metaroce compliance run --target " + outcome.target().name() + " --select "
                        + result.test().id() + "\n");
    }
}
