package io.metaroce.tools;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Two network namespaces with a wire between them, made for one test and gone after it. Nothing outside of them is
 * touched: the wire is made inside.
 */
final class TwoNamespaces implements AutoCloseable {
    /** Address of the first. */
    static final String ONE = "10.77.0.1";
    /** Address of the second. */
    static final String TWO = "10.77.0.2";

    private static final long COMMAND_S = 20;

    private final String one;
    private final String two;

    private TwoNamespaces(String name) {
        this.one = name + "-1";
        this.two = name + "-2";
    }

    /** Why they cannot be made here, or nothing. */
    static String obstacle() {
        for (String tool : List.of("ip", "nft")) {
            if (!isInstalled(tool)) {
                return "the command " + tool + " is not installed";
            }
        }
        try (TwoNamespaces tried = open(1500)) {
            return tried == null ? "nothing was made" : "";
        } catch (IOException e) {
            return "network namespaces are not allowed here: " + e.getMessage();
        }
    }

    /** Makes both, and the wire. */
    static TwoNamespaces open(int mtu) throws IOException {
        TwoNamespaces made = new TwoNamespaces(
                String.format(Locale.ROOT, "mr%d", ProcessHandle.current().pid()));
        try {
            run("ip", "netns", "add", made.one);
            run("ip", "netns", "add", made.two);
            String size = Integer.toString(mtu);
            run(
                    "ip", "-n", made.one, "link", "add", "w1", "mtu", size, "type", "veth", "peer", "name", "w2", "mtu",
                    size, "netns", made.two);
            made.up(made.one, "w1", ONE);
            made.up(made.two, "w2", TWO);
            return made;
        } catch (IOException e) {
            made.close();
            throw e;
        }
    }

    private void up(String space, String wire, String address) throws IOException {
        run("ip", "-n", space, "link", "set", "lo", "up");
        run("ip", "-n", space, "addr", "add", address + "/24", "dev", wire);
        run("ip", "-n", space, "link", "set", wire, "up");
    }

    /** Rules for what arrives at the first. */
    void rulesAtOne(String rules) throws IOException {
        Path file = Files.createTempFile("rules", ".nft");
        try {
            Files.writeString(file, rules);
            run("ip", "netns", "exec", one, "nft", "-f", file.toString());
        } finally {
            Files.delete(file);
        }
    }

    /** A command that starts a tool of this project in the first namespace. */
    List<String> inOne(String... tool) {
        return in(one, tool);
    }

    /** A command that starts a tool of this project in the second namespace. */
    List<String> inTwo(String... tool) {
        return in(two, tool);
    }

    private static List<String> in(String space, String... tool) {
        List<String> command = new ArrayList<>(List.of("ip", "netns", "exec", space));
        command.add(System.getProperty("java.home") + "/bin/java");
        command.add("-XX:TieredStopAtLevel=1");
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(Main.class.getName());
        command.addAll(List.of(tool));
        return command;
    }

    @Override
    public void close() throws IOException {
        // The wire goes with either end.
        for (String space : List.of(one, two)) {
            if (Files.exists(Path.of("/run/netns", space))) {
                run("ip", "netns", "delete", space);
            }
        }
    }

    private static boolean isInstalled(String tool) {
        for (String folder : List.of("/usr/sbin", "/sbin", "/usr/bin", "/bin")) {
            if (Files.isExecutable(Path.of(folder, tool))) {
                return true;
            }
        }
        return false;
    }

    private static void run(String... command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            boolean ended = process.waitFor(COMMAND_S, TimeUnit.SECONDS);
            if (!ended) {
                process.destroyForcibly();
            }
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).trim();
            if (!ended || process.exitValue() != 0) {
                throw new IOException(String.join(" ", command) + ": " + said);
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
