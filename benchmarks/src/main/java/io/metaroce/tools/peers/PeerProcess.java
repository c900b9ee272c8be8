package io.metaroce.tools.peers;

import io.metaroce.tools.JavaCommand;
import io.metaroce.tools.Processes;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** One process of a pair, seen from the process that gives orders. */
final class PeerProcess implements AutoCloseable {
    private static final String READY = "listening ";
    private static final double TICKS_PER_SECOND = 100; // USER_HZ of Linux
    private static final int USER_TICKS = 11; // fields of /proc/PID/stat behind the name
    private static final int SYSTEM_TICKS = 12;

    private final Process process;
    private final BufferedReader answers;
    private final String address;

    private PeerProcess(List<String> prefix, List<String> words) throws IOException {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(JavaCommand.of(PeerSide.class.getName(), words));
        process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        answers = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        address = answer(READY);
    }

    /** Starts the receiving side; {@code prefix} are words in front of the command, as those that enter a namespace. */
    static PeerProcess serve(List<String> prefix, String name, String host) throws IOException {
        return new PeerProcess(prefix, List.of("serve", name, host));
    }

    /** Starts the sending side. */
    static PeerProcess drive(List<String> prefix, String name, String host, String remote) throws IOException {
        return new PeerProcess(prefix, List.of("drive", name, host, remote));
    }

    String address() {
        return address;
    }

    /** Says an order; the answer without {@code keyword}. */
    String ask(String order, String keyword) throws IOException {
        process.getOutputStream().write((order + "\n").getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
        return answer(keyword);
    }

    /** Processor time of all its threads so far, in seconds. */
    double cpuSeconds() throws IOException {
        String stat = Files.readString(Path.of("/proc/" + process.pid() + "/stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return (Long.parseLong(fields[USER_TICKS]) + Long.parseLong(fields[SYSTEM_TICKS])) / TICKS_PER_SECOND;
    }

    private String answer(String keyword) throws IOException {
        StringBuilder other = new StringBuilder();
        for (String line = answers.readLine(); line != null; line = answers.readLine()) {
            if (line.startsWith(keyword)) {
                return line.substring(keyword.length());
            }
            other.append(line).append('\n');
        }
        throw new IOException("the process ended; it said: " + other);
    }

    @Override
    public void close() {
        Processes.end(process);
    }
}
