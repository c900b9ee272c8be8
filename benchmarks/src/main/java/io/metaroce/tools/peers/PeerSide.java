package io.metaroce.tools.peers;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/**
 * The program of one process of a pair: obeys lines of its input, answers each with a line.
 *
 * <pre>
 * serve NAME HOST          listening ADDRESS, then: count -> counted BYTES
 * drive NAME HOST ADDRESS  listening -, then: bulk MS | small MS | ping MS -> done SECONDS [P50 P99 P999 ROUNDS]
 *                                                                         or failed WHY
 * </pre>
 */
public final class PeerSide {
    /** Begins the answer to an order that could not be obeyed. */
    static final String FAILED = "failed ";

    private PeerSide() {}

    /** Runs until its input ends. */
    public static void main(String[] words) throws IOException {
        try (BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            Peer peer = Peers.named(words[1]);
            if (words[0].equals("serve")) {
                serve(peer.serve(words[2]), orders, System.out);
            } else {
                drive(peer.connect(words[2], words[3]), orders, System.out);
            }
        }
        System.exit(0); // whatever threads a peer has left
    }

    private static void serve(Peer.Receiver receiver, BufferedReader orders, PrintStream out) throws IOException {
        out.println("listening " + receiver.address());
        while (orders.readLine() != null) {
            out.println("counted " + receiver.bytes());
        }
        receiver.close();
    }

    private static void drive(Peer.Sender sender, BufferedReader orders, PrintStream out) throws IOException {
        out.println("listening -");
        for (String order = orders.readLine(); order != null; order = orders.readLine()) {
            try {
                out.println("done " + obey(sender, order));
            } catch (IOException e) {
                out.println(FAILED + e.getMessage());
            }
        }
        sender.close();
    }

    private static String obey(Peer.Sender sender, String order) throws IOException {
        String[] words = order.split(" ", -1);
        Duration time = Duration.ofMillis(Long.parseLong(words[1]));
        long startNs = System.nanoTime();
        Histogram half = null;
        switch (words[0]) {
            case "bulk" -> sender.bulk(time);
            case "small" -> sender.small(time);
            case "ping" -> half = sender.pingPong(time);
            default -> throw new IOException("unknown order '" + order + "'");
        }
        double seconds = (System.nanoTime() - startNs) / 1e9;
        return String.format(Locale.ROOT, "%.6f", seconds) + (half == null ? "" : " " + told(half));
    }

    private static String told(Histogram half) {
        return half.getValueAtPercentile(50) + " " + half.getValueAtPercentile(99) + " "
                + half.getValueAtPercentile(99.9) + " " + half.getTotalCount();
    }
}
