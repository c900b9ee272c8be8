package io.metaroce.tools.peers;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Two network namespaces joined by a veth pair, in which packets are dropped at random in both directions. Made and
 * removed by this class; needs root, {@code ip}, {@code nft}, and {@code ethtool}.
 */
final class LossyPair implements AutoCloseable {
    private static final String FAR_HOST = "10.231.77.2";
    private static final String NEAR_HOST = "10.231.77.1";
    private static final String DEVICE = "veth0";
    private static final int MTU = 9000;
    private static final int MILLIONTHS = 1_000_000;

    private final String near = "mrce-a" + ProcessHandle.current().pid();
    private final String far = "mrce-b" + ProcessHandle.current().pid();
    private final Thread atExit = new Thread(this::remove);

    private LossyPair() {}

    /**
     * Makes the pair, without loss.
     *
     * @throws IOException when this machine does not allow it; the message is the reason
     */
    static LossyPair open() throws IOException {
        LossyPair pair = new LossyPair();
        Runtime.getRuntime().addShutdownHook(pair.atExit);
        try {
            pair.make();
            return pair;
        } catch (IOException e) {
            pair.close();
            throw e;
        }
    }

    private void make() throws IOException {
        run("ip netns add " + near);
        run("ip netns add " + far);
        run("ip link add veth0 netns " + near + " mtu " + MTU + " type veth peer name veth0 netns " + far + " mtu "
                + MTU);
        up(near, NEAR_HOST);
        up(far, FAR_HOST);
        drop(0);
    }

    private static void up(String space, String host) throws IOException {
        run("ip -n " + space + " addr add " + host + "/24 dev veth0");
        run("ip -n " + space + " link set veth0 up");
        run("ip -n " + space + " link set lo up");
        // Else one draw would decide about all segments of a send, and of a stretch of TCP.
        run("ip netns exec " + space + " ethtool -K veth0 tx-udp-segmentation off tso off gso off gro off");
    }

    /** From now on this share of packets is lost, each way. */
    void drop(double share) throws IOException {
        String rule = String.format(
                Locale.ROOT,
                "add table ip lossy; flush table ip lossy; add chain ip lossy in { type filter hook prerouting priority"
                        + " -300; }; add rule ip lossy in iifname veth0 numgen random mod %d < %d drop",
                MILLIONTHS,
                Math.round(share * MILLIONTHS));
        for (String space : List.of(near, far)) {
            run(List.of("ip", "netns", "exec", space, "nft", rule));
        }
    }

    /** Where packets are sent from. */
    Place near() {
        return new Place(List.of("ip", "netns", "exec", near), NEAR_HOST, DEVICE);
    }

    /** Where they are received. */
    Place far() {
        return new Place(List.of("ip", "netns", "exec", far), FAR_HOST, DEVICE);
    }

    @Override
    public void close() {
        remove();
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException e) {
            // the process ends already
        }
    }

    private void remove() {
        for (String space : List.of(near, far)) {
            try {
                run("ip netns del " + space);
            } catch (IOException e) {
                // was never made, or is gone
            }
        }
    }

    private static void run(String command) throws IOException {
        run(List.of(command.split(" ", -1)));
    }

    private static void run(List<String> command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new IOException(String.join(" ", command) + ": " + said);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
