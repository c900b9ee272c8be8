package io.metaroce.tools.perf;

import io.metaroce.engine.PathView;
import io.metaroce.tools.CacheLine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.HdrHistogram.Histogram;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Results as JSON, with the keys of perftest and units beside them. Written once: {@code results} is one object, or an
 * array of them with {@code -a}.
 */
final class PerfJson {
    private static final int SCHEMA_VERSION = 1;
    private static final JsonMapper MAPPER = new JsonMapper();

    private PerfJson() {}

    static void write(
            Path file,
            PerfKind kind,
            PerfOptions options,
            CacheLine.Placement placement,
            PerfClient client,
            List<BwResult> bandwidths,
            List<LatResult> latencies)
            throws IOException {
        ObjectNode root = MAPPER.createObjectNode();
        root.put("schema_version", SCHEMA_VERSION);
        info(root.putObject("test_info"), kind, options, placement, client);
        ArrayNode results = results(options, bandwidths, latencies);
        root.set("results", options.all ? results : results.get(0));
        ArrayNode paths = root.putArray("paths");
        for (PathView path : client.connection().paths()) {
            paths.addObject()
                    .put("id", path.id())
                    .put("state", path.state())
                    .put("sent_packets", path.sentPackets())
                    .put("resent_packets", path.resentPackets())
                    .put("lost_packets", path.lostPackets())
                    .put("srtt_usec", path.srttNs() / 1e3)
                    .put("window_bytes", path.windowBytes());
        }
        Files.writeString(file, MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(root) + "\n");
    }

    /** One object per size. */
    static ArrayNode results(PerfOptions options, List<BwResult> bandwidths, List<LatResult> latencies) {
        ArrayNode results = MAPPER.createArrayNode();
        for (BwResult r : bandwidths) {
            bandwidth(results.addObject(), r, options);
        }
        for (LatResult r : latencies) {
            latency(results.addObject(), r, options);
        }
        return results;
    }

    static void info(
            ObjectNode info, PerfKind kind, PerfOptions options, CacheLine.Placement placement, PerfClient client) {
        info.put("test", kind.title())
                .put("num_of_qps", options.queuePairs)
                .put("tx_depth", options.depthOf(kind))
                .put("mtu", options.payload)
                .put("paths", options.paths)
                .put(
                        "burst_packets",
                        client.side().endpoint().config().scheduler().burstPackets())
                .put("loss", options.loss.value())
                .put("reorder", options.reorder.value())
                .put("duplicate", options.duplicate.value())
                .put("seed", options.seed)
                .put("data_validation", options.validate)
                .put("bidirectional", options.bidirectional)
                .put("engine", client.side().endpoint().capabilities().engine())
                .put(
                        "segmentation",
                        client.side().endpoint().capabilities().segmentation().isOn())
                .put(
                        "coalescing",
                        client.side().endpoint().capabilities().coalescing().isOn())
                .put("cache_line_round_trip_nsec", placement.roundTripNs())
                .put("placement", placement.word());
    }

    private static void bandwidth(ObjectNode out, BwResult r, PerfOptions options) {
        out.put("MsgSize", r.size())
                .put("n_iterations", r.iterations())
                .put("BW_peak", options.gbits ? r.peakGbitsPerSecond() : r.peakMibPerSecond())
                .put("BW_average", options.gbits ? r.gbitsPerSecond() : r.mibPerSecond())
                .put("MsgRate", r.messageRate())
                .put("goodput_gbps", r.gbitsPerSecond())
                .put("seconds", r.seconds())
                .put("sent_packets", r.sentPackets())
                .put("retransmits", r.retransmits())
                .put("duplicates", r.report().duplicates())
                .put("verified_bytes", r.report().verifiedBytes())
                .put("wrong_messages", r.report().wrongMessages());
        if (options.cpu) {
            out.put("cpu_util", r.cpuPercent());
        }
        out.putObject("units")
                .put("BW_peak", options.gbits ? "Gb/sec" : "MiB/sec")
                .put("BW_average", options.gbits ? "Gb/sec" : "MiB/sec")
                .put("MsgRate", "Mpps")
                .put("MsgSize", "bytes");
    }

    private static void latency(ObjectNode out, LatResult r, PerfOptions options) {
        out.put("MsgSize", r.size()).put("n_iterations", r.tookNs().getTotalCount());
        histogram(out, r.tookNs());
        histogram(out.putObject("bare_udp"), r.bareNs());
        out.put("wrong_messages", r.report().wrongMessages())
                .put("verified_bytes", r.report().verifiedBytes());
        if (options.cpu) {
            out.put("cpu_util", r.cpuPercent());
        }
        out.putObject("units").put("t_*", "usec").put("percentile_*", "usec").put("MsgSize", "bytes");
    }

    private static void histogram(ObjectNode out, Histogram h) {
        out.put("t_min", h.getMinValue() / 1e3)
                .put("t_max", h.getMaxValue() / 1e3)
                .put("t_typical", LatResult.micros(h, 50))
                .put("t_avg", h.getMean() / 1e3)
                .put("t_stdev", h.getStdDeviation() / 1e3)
                .put("percentile_99", LatResult.micros(h, 99))
                .put("percentile_99.9", LatResult.micros(h, 99.9));
    }
}
