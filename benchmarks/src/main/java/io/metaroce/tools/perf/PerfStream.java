package io.metaroce.tools.perf;

import io.metaroce.tools.CacheLine;
import java.io.PrintWriter;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A test as lines of JSON while it runs: {@code start}, any number of {@code interval}, {@code end}. */
final class PerfStream {
    private static final JsonMapper MAPPER = new JsonMapper();

    private final PrintWriter out;

    PerfStream(PrintWriter out) {
        this.out = out;
    }

    void begin(PerfKind kind, PerfOptions options, CacheLine.Placement placement, PerfClient client) {
        ObjectNode line = event("start");
        PerfJson.info(line.putObject("data"), kind, options, placement, client);
        print(line);
    }

    void interval(Intervals.Row row) {
        ObjectNode line = event("interval");
        line.putObject("data")
                .put("from_seconds", row.fromSeconds())
                .put("to_seconds", row.toSeconds())
                .put("bytes", row.bytes())
                .put("goodput_gbps", row.gbitsPerSecond())
                .put("retransmits", row.resent());
        print(line);
    }

    void end(PerfOptions options, List<BwResult> bandwidths, List<LatResult> latencies) {
        ObjectNode line = event("end");
        line.set("data", PerfJson.results(options, bandwidths, latencies));
        print(line);
    }

    private static ObjectNode event(String name) {
        return MAPPER.createObjectNode().put("event", name);
    }

    private void print(ObjectNode line) {
        out.println(MAPPER.writeValueAsString(line));
        out.flush();
    }
}
