package io.metaroce.tools;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The other side of a test as a second process on this machine: the same tool, started again. */
final class ChildProcess implements AutoCloseable {
    private static final String READY = "listening ";
    private static final long START_SECONDS = 180;
    private static final long END_SECONDS = 10;

    private final Process process;
    private volatile String address = "";
    private final StringBuilder said = new StringBuilder();

    private ChildProcess(Process process) {
        this.process = process;
    }

    /** Starts the tool with {@code arguments} and waits until it says where it listens. */
    static ChildProcess start(List<String> arguments) throws IOException {
        ChildProcess child = launch(arguments);
        try {
            child.awaitAddress();
            return child;
        } catch (IOException e) {
            child.close();
            throw e;
        }
    }

    /** Starts the tool with {@code arguments}, and does not wait. */
    static ChildProcess launch(List<String> arguments) throws IOException {
        List<String> command = JavaCommand.of(Main.class.getName(), arguments);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        ChildProcess child = new ChildProcess(process);
        Thread reader = new Thread(child::read, "child-output");
        reader.setDaemon(true);
        reader.start();
        return child;
    }

    /** Takes an option that has a value out of the words for a child. */
    static void withoutOption(List<String> words, String option) {
        int at = words.indexOf(option);
        if (at >= 0) {
            words.remove(at + 1);
            words.remove(at);
        }
        words.removeIf(word -> word.startsWith(option + "="));
    }

    /** Number of the process. */
    long pid() {
        return process.pid();
    }

    /** Where the child listens, as {@code address:port}. */
    String address() {
        return address;
    }

    /** Ends it without a word. */
    void kill() {
        process.destroyForcibly();
    }

    /** Says a line to the child. */
    void tell(String line) throws IOException {
        process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
    }

    /** Waits for the child's end; true when it was content. */
    boolean endsWell() throws IOException {
        return endsWell(Duration.ofSeconds(END_SECONDS));
    }

    /** The same for one that has much to bring to an end. */
    boolean endsWell(Duration patience) throws IOException {
        try {
            return process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS) && process.exitValue() == 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while the other process ended", e);
        }
    }

    @Override
    public void close() {
        Processes.end(process);
    }

    /** Waits until the child has said where it listens. */
    void awaitAddress() throws IOException {
        long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        synchronized (said) {
            while (address.isEmpty() && process.isAlive() && System.nanoTime() < endNs) {
                try {
                    said.wait(50);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new IOException("interrupted while the other process started", e);
                }
            }
        }
        if (address.isEmpty()) {
            String what = process.isAlive()
                    ? "did not start within " + START_SECONDS + " s"
                    : "ended with exit code " + process.exitValue() + " before it listened";
            throw new IOException("the other process " + what + "; it said: " + output());
        }
    }

    /** Everything the child has said. */
    String output() {
        synchronized (said) {
            return said.toString().trim();
        }
    }

    private void read() {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                synchronized (said) {
                    if (line.startsWith(READY)) {
                        address = line.substring(READY.length()).trim();
                    } else {
                        said.append(line).append('\n');
                    }
                    said.notifyAll();
                }
            }
        } catch (IOException e) {
            // the child is gone; whoever waits for it sees that
        }
    }
}
