package io.metaroce.tools.perf;

import io.metaroce.tools.ByteSize;
import io.metaroce.tools.CutSpec;
import io.metaroce.tools.Share;
import io.metaroce.tools.Span;
import io.metaroce.udp.UdpConfig;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The options of the tests. Letters and defaults are those of perftest where it has them. */
public final class PerfOptions {
    private static final long ECHO_SPIN_NS = 1_000_000; // longer than between two pings, gone before the next test

    /** Port of the service when none is given. */
    public static final int DEFAULT_PORT = 18515;

    /** The server's address; without it this side is the server. */
    @Parameters(
            arity = "0..1",
            paramLabel = "HOST",
            description = "Server to connect to; without it this is the server.")
    public @Nullable String host;

    /** UDP port of the server. */
    @Option(
            names = {"-p", "--port"},
            defaultValue = "18515",
            description = "UDP port of the server (${DEFAULT-VALUE}).")
    public int port;

    /** Message size. */
    @Option(
            names = {"-s", "--size"},
            description = "SYMMETRIC: message size (64K for bandwidth, 2 for latency).")
    public @Nullable ByteSize size;

    /** All sizes. */
    @Option(
            names = {"-a", "--all"},
            description = "SYMMETRIC: sizes 2 to 2^23.")
    public boolean all;

    /** Messages. */
    @Option(
            names = {"-n", "--iters"},
            description = "Messages per size (write_bw 5000, others 1000).")
    public int iterations;

    /** Duration. */
    @Option(
            names = {"-D", "--duration"},
            description = "Run for this long instead, per size.")
    public @Nullable Span duration;

    /** Warm-up. */
    @Option(
            names = "--warm-up",
            description =
                    "Run for this long before measuring, per test. Without it: with -D until the rate has settled,"
                            + " at most 10s, since the Java compiler needs its time; with -n not at all, or for 100"
                            + " round trips.")
    public @Nullable Span warmUp;

    /** Queue pairs. */
    @Option(
            names = {"-q", "--qp"},
            defaultValue = "1",
            description = "SYMMETRIC: queue pairs on one connection, 1 to 16.")
    public int queuePairs;

    /** Depth. */
    @Option(
            names = {"-t", "--tx-depth"},
            description = "Requests outstanding per queue pair (128; 1 for latency).")
    public int depth;

    /** Payload of a packet. */
    @Option(
            names = {"-m", "--mtu"},
            defaultValue = "4096",
            description = "Payload of a packet: 1024 to 8192 (${DEFAULT-VALUE}).")
    public int payload;

    /** Inline size. */
    @Option(
            names = {"-I", "--inline_size"},
            defaultValue = "0",
            description = "Largest message copied at post time.")
    public int inline;

    /** Paths. */
    @Option(names = "--paths", defaultValue = "16", description = "Paths of a connection (${DEFAULT-VALUE}).")
    public int paths;

    /** Burst. */
    @Option(names = "--burst", description = "Packets one path takes in a row (14 over UDP).")
    public int burst;

    /** Loss. */
    @Option(names = "--loss", defaultValue = "0", description = "Share of packets to lose on sending, 0.01 or 1%%.")
    public Share loss = Share.NONE;

    /** Duplicates. */
    @Option(names = "--duplicate", defaultValue = "0", description = "Share of packets to send twice.")
    public Share duplicate = Share.NONE;

    /** Reordering. */
    @Option(names = "--reorder", defaultValue = "0", description = "Share of packets that others overtake.")
    public Share reorder = Share.NONE;

    /** Cut. */
    @Option(names = "--cut-path", paramLabel = "N[@TIME]", description = "Cut the route of path N, at once or later.")
    public @Nullable CutSpec cut;

    /** Seed of the faults. */
    @Option(names = "--seed", defaultValue = "1", description = "Seed of loss, reordering and the like.")
    public long seed;

    /** Shared receives. */
    @Option(names = "--use-srq", description = "All queue pairs of this side take their receives from one queue.")
    public boolean sharedReceives;

    /** Validation. */
    @Option(names = "--data_validation", description = "SYMMETRIC: the receiver compares every byte.")
    public boolean validate;

    /** Bidirectional. */
    @Option(
            names = {"-b", "--bidirectional"},
            description = "SYMMETRIC: both sides send; the bandwidth is that of both directions together.")
    public boolean bidirectional;

    /** Events. */
    @Option(
            names = {"-e", "--events"},
            description = "Sleep on events of the completion queue, as programs with event channels do.")
    public boolean events;

    /** Histogram. */
    @Option(
            names = {"-H", "--report-histogram"},
            description = "Latency: print the whole distribution, with few values near the tail.")
    public boolean histogram;

    /** Processor use. */
    @Option(names = "--cpu_util", description = "Print the share of all processors that this side takes.")
    public boolean cpu;

    /** Rows between. */
    @Option(
            names = "--interval",
            paramLabel = "TIME",
            description = "Bandwidth: a row for each interval, besides the result.")
    public @Nullable Span interval;

    /** JSON as it goes. */
    @Option(
            names = "--json-stream",
            description = "Print one JSON object per line instead of the table: start, intervals, results.")
    public boolean jsonStream;

    /** Bare number. */
    @Option(
            names = "--output",
            paramLabel = "bandwidth|message_rate|latency",
            description = "Print this number alone: MiB/s (Gb/s with --report_gbits), 10^6 messages/s, typical usec.")
    public @Nullable Output output;

    /** What {@code --output} prints. */
    public enum Output {
        /** Average bandwidth. */
        BANDWIDTH,
        /** Messages per microsecond. */
        MESSAGE_RATE,
        /** Median latency. */
        LATENCY
    }

    /** Least bandwidth. */
    @Option(
            names = {"-w", "--limit_bw"},
            paramLabel = "GBITS",
            description = "Fail when the average bandwidth is below this, in Gb/s.")
    public double bandwidthMin;

    /** Least message rate. */
    @Option(
            names = {"-y", "--limit_msgrate"},
            paramLabel = "MPPS",
            description = "Fail when there are fewer messages than this, in 10^6 per second.")
    public double messageRateMin;

    /** No peak. */
    @Option(
            names = {"-N", "--noPeak"},
            description = "Print 0 for the peak.")
    public boolean noPeak;

    /** Counters. */
    @Option(
            names = {"-W", "--report-counters"},
            split = ",",
            paramLabel = "NAME",
            description = "Print by how much these counters of this side rose, by the names of docs/counters.md.")
    public List<String> counters = List.of();

    /** Type of service. */
    @Option(
            names = {"-T", "--tos"},
            description = "Type of service of data packets, 0 to 255; its upper six bits are the DSCP.")
    public int tos;

    /** Unit. */
    @Option(names = "--report_gbits", description = "Print Gb/s (10^9 bits) instead of MiB/s (2^20 bytes).")
    public boolean gbits;

    /** JSON. */
    @Option(names = "--out_json", description = "Write the results as JSON to perftest_out.json.")
    public boolean json;

    /** JSON file. */
    @Option(names = "--out_json_file", description = "Write the results as JSON to this file.")
    public @Nullable Path jsonFile;

    /** Trace. */
    @Option(names = "--trace", paramLabel = "FILE", description = "Write what this side does as lines of JSON.")
    public @Nullable Path trace;

    /** Capture. */
    @Option(names = "--pcap", paramLabel = "FILE", description = "Write this side's packets for Wireshark (pcapng).")
    public @Nullable Path capture;

    /** Both sides here. */
    @Option(names = "--loopback", description = "Start the other side as a second process on this machine.")
    public boolean loopback;

    /** Pre-shared key. */
    @Option(
            names = "--psk-file",
            paramLabel = "FILE",
            description = "SYMMETRIC: encrypt with the key in this file, 32 or more hexadecimal digits.")
    public @Nullable Path keyFile;

    /** Busy polling. */
    @Option(
            names = "--spin",
            description = "Event loops poll without sleeping: shortest round trips, one busy processor.")
    public boolean spin;

    /** Polling for a while. */
    @Option(
            names = "--spin-for",
            paramLabel = "TIME",
            description = "Event loops poll without sleeping for so long after anything happened, then sleep.")
    public @Nullable Span spinFor;

    /** Congestion marks. */
    @Option(
            names = "--congestion-marks",
            paramLabel = "AUTO|ON|OFF",
            defaultValue = "AUTO",
            description = "Whether this side reads the congestion marks of what it receives (${DEFAULT-VALUE}).")
    public UdpConfig.Offload congestionMarks = UdpConfig.Offload.AUTO;

    /** Without threads of the application. */
    @Option(
            names = "--on-loop",
            description =
                    "SYMMETRIC: post and take results on the endpoint's own thread, so that nobody wakes anybody.")
    public boolean onLoop;

    /** Local address. */
    @Option(names = "--bind_source_ip", description = "Local address (127.0.0.1, or the one that leads to HOST).")
    public @Nullable String bind;

    /** Accepted, since it is always so: connection manager, RC, port 1, no moderation. */
    @Option(
            names = {"-R", "--rdma_cm", "-z", "--comm_rdma_cm"},
            hidden = true)
    public boolean connectionManager;

    /** Accepted with the only value there is. */
    @Option(
            names = {"-c", "--connection"},
            hidden = true)
    public String connection = "RC";

    /** Accepted with the only value there is. */
    @Option(
            names = {"-i", "--ib-port"},
            hidden = true)
    public int port1 = 1;

    /** Moderation of completions. */
    @Option(
            names = {"-Q", "--cq-mod"},
            defaultValue = "1",
            description = "Signal one message of so many, of bandwidth only; at most the depth (${DEFAULT-VALUE}).")
    public int moderation = 1;

    /** Accepted, without meaning here. */
    @Option(
            names = {"-F", "--CPU-freq"},
            hidden = true)
    public boolean noFrequencyWarning;

    /** How long to wait for a server that is not there yet. */
    @Option(
            names = "--connect-timeout",
            defaultValue = "10s",
            description = "Wait so long for the server (${DEFAULT-VALUE}).")
    public @Nullable Span connectTimeout;

    /** Started by {@code --loopback}: serve one client and say where. */
    @Option(names = "--child", hidden = true)
    public boolean child;

    /** What an event loop does when nothing happens. */
    UdpConfig.Idle idle() {
        if (spin) {
            return UdpConfig.Idle.SPIN;
        }
        return spinFor == null ? UdpConfig.Idle.BLOCK : UdpConfig.Idle.ADAPTIVE;
    }

    /** How long the bare echo beside looks for packets before it sleeps; 0 where event loops sleep at once. */
    long spinNs() {
        return switch (idle()) {
            case BLOCK -> 0;
            case ADAPTIVE, SPIN -> ECHO_SPIN_NS;
        };
    }

    /** Message size for a test. */
    long sizeOf(PerfKind kind) {
        return size == null ? kind.defaultSize() : size.bytes();
    }

    /** Messages for a test. */
    int iterationsOf(PerfKind kind) {
        return iterations > 0 ? iterations : kind.defaultIterations();
    }

    /** Depth for a test. */
    int depthOf(PerfKind kind) {
        return depth > 0 ? depth : kind.defaultDepth();
    }
}
