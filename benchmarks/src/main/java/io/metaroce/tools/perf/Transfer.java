package io.metaroce.tools.perf;

import io.metaroce.engine.PathView;
import io.metaroce.tools.ByteSize;
import io.metaroce.tools.Share;
import io.metaroce.trace.Counter;
import io.metaroce.udp.Cut;
import java.io.IOException;
import java.util.List;

/** One verified transfer by RDMA WRITE, for the demo. */
public final class Transfer {
    private Transfer() {}

    /**
     * What to move and what to do to it on the way.
     *
     * @param bytes how much; a multiple of the message size
     * @param messageBytes message size
     * @param paths paths of the connection
     * @param loss share of packets lost
     * @param cutPath path whose route is cut when half of the packets have left, or -1
     */
    public record Wish(long bytes, int messageBytes, int paths, double loss, int cutPath) {
        /** The options that a server process needs to serve it. */
        public List<String> serverArguments() {
            return List.of(
                    "--child",
                    "-s",
                    Integer.toString(messageBytes),
                    "--data_validation",
                    "--paths",
                    Integer.toString(paths),
                    "--loss",
                    Double.toString(loss));
        }
    }

    /**
     * What came of it.
     *
     * @param bandwidth figures of the transfer
     * @param paths the paths at its end
     * @param reports acknowledgements that came back
     */
    public record Outcome(BwResult bandwidth, List<PathView> paths, long reports) {
        /** Whether every byte arrived and was right. */
        public boolean isVerified() {
            return bandwidth.report().wrongMessages() == 0
                    && bandwidth.report().verifiedBytes() == bandwidth.size() * bandwidth.iterations();
        }

        /** Paths that carried data. */
        public long pathsUsed() {
            return paths.stream().filter(path -> path.sentPackets() > 0).count();
        }
    }

    /** Moves the bytes to a server process at {@code host:port}. */
    public static Outcome run(Wish wish, String host, int port) throws IOException {
        PerfOptions options = new PerfOptions();
        options.queuePairs = 1;
        options.size = new ByteSize(wish.messageBytes());
        options.iterations = (int) (wish.bytes() / wish.messageBytes());
        options.payload = 4096;
        options.paths = wish.paths();
        options.loss = new Share(wish.loss());
        options.seed = 1;
        options.validate = true;
        try (PerfClient client = PerfClient.connect(PerfKind.WRITE_BW, options, host, port)) {
            if (wish.cutPath() >= 0) {
                long packets = wish.bytes() / options.payload;
                client.side().endpoint().faults().cut(Cut.path(wish.cutPath()).afterPackets(packets / 2));
            }
            BwResult result = client.bandwidth(wish.messageBytes(), new Intervals(0, row -> {}));
            long reports = client.side().endpoint().counters().get(Counter.ACKS_RECEIVED);
            return new Outcome(result, client.connection().paths(), reports);
        }
    }
}
