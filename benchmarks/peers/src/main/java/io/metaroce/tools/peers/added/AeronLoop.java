package io.metaroce.tools.peers.added;

import io.aeron.Aeron;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardSocketOptions;
import java.nio.channels.DatagramChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;
import org.agrona.IoUtil;

/**
 * One thread that runs Aeron's driver and client and whatever the test has for it. It turns without rest while the test
 * has work and for a tenth of a second after it; then it looks every 2 ms, so that it takes nothing from others. What
 * the driver does on its own account, such as a heartbeat every tenth of a second, does not count.
 */
final class AeronLoop implements AutoCloseable {
    private static final int BUFFER_BYTES = 4 << 20;
    private static final int TERM_BYTES = 16 << 20;
    private static final int RESENDS_MAX = 256;
    private static final long PATIENT_NS = TimeUnit.SECONDS.toNanos(60); // machines under load take pauses
    private static final long EAGER_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long REST_NS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final int SPINS = 20;
    private static final long END_MS = 2_000;

    private final MediaDriver driver;
    private final Aeron aeron;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final Thread thread = new Thread(this::turn, "aeron");
    private IntSupplier work = () -> 0; // what the test does in each turn; tells how much there was
    private volatile boolean ended;

    private AeronLoop(MediaDriver driver) {
        this.driver = driver;
        aeron = Aeron.connect(new Aeron.Context()
                .aeronDirectoryName(driver.aeronDirectoryName())
                .useConductorAgentInvoker(true)
                .driverTimeoutMs(TimeUnit.NANOSECONDS.toMillis(PATIENT_NS))
                .driverAgentInvoker(driver.sharedAgentInvoker()));
    }

    /** Starts a driver of its own and the thread. */
    static AeronLoop start(int mtuBytes) {
        int bufferBytes = bufferBytes();
        Path memory = Path.of("/dev/shm");
        Path folder = (Files.isWritable(memory) ? memory : Path.of(System.getProperty("java.io.tmpdir")))
                .resolve("aeron-peer-" + ProcessHandle.current().pid());
        Runtime.getRuntime().addShutdownHook(new Thread(() -> IoUtil.delete(folder.toFile(), true)));
        MediaDriver driver = MediaDriver.launch(new MediaDriver.Context()
                .aeronDirectoryName(folder.toString())
                .dirDeleteOnStart(true)
                .dirDeleteOnShutdown(true)
                .warnIfDirectoryExists(false)
                .threadingMode(ThreadingMode.INVOKER)
                .mtuLength(mtuBytes)
                .publicationTermBufferLength(TERM_BYTES)
                .socketSndbufLength(bufferBytes)
                .socketRcvbufLength(bufferBytes)
                .initialWindowLength(bufferBytes)
                .maxResend(RESENDS_MAX)
                .performStorageChecks(false)
                .clientLivenessTimeoutNs(PATIENT_NS)
                .imageLivenessTimeoutNs(PATIENT_NS)
                .publicationUnblockTimeoutNs(2 * PATIENT_NS)
                .publicationConnectionTimeoutNs(PATIENT_NS)
                .driverTimeoutMs(TimeUnit.NANOSECONDS.toMillis(PATIENT_NS)));
        AeronLoop loop = new AeronLoop(driver);
        loop.thread.setDaemon(true);
        loop.thread.start();
        return loop;
    }

    /** What this machine gives of the buffer wanted. */
    private static int bufferBytes() {
        try (DatagramChannel probe = DatagramChannel.open()) {
            probe.setOption(StandardSocketOptions.SO_RCVBUF, BUFFER_BYTES);
            probe.setOption(StandardSocketOptions.SO_SNDBUF, BUFFER_BYTES);
            return Math.min(
                    BUFFER_BYTES,
                    Math.min(
                            probe.getOption(StandardSocketOptions.SO_RCVBUF),
                            probe.getOption(StandardSocketOptions.SO_SNDBUF)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The client; to be used on the loop. */
    Aeron aeron() {
        return aeron;
    }

    /** Has this done on the loop. */
    void execute(Runnable task) {
        tasks.add(task);
        LockSupport.unpark(thread);
    }

    /** What is done in each turn from now on; to be called on the loop. */
    void each(IntSupplier work) {
        this.work = work;
    }

    /** One turn of driver and client, for those who wait on the loop. */
    int turnOnce() {
        return driver.sharedAgentInvoker().invoke()
                + aeron.conductorAgentInvoker().invoke();
    }

    @SuppressWarnings("ThreadPriorityCheck") // two processes share two processors: who waits gives way
    private void turn() {
        long busyNs = System.nanoTime();
        while (!ended) {
            boolean isEager = System.nanoTime() - busyNs < EAGER_NS;
            int driven = 0;
            int done = 0;
            for (int i = 0; i < (isEager ? SPINS : 1) && driven + done == 0; i++) {
                driven = turnOnce();
                done = work.getAsInt();
            }
            for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
                task.run();
                done++;
            }
            if (done > 0) {
                busyNs = System.nanoTime();
            } else if (!isEager) {
                LockSupport.parkNanos(REST_NS);
            } else if (driven == 0) {
                Thread.yield();
            }
        }
        aeron.close();
        driver.close();
    }

    @Override
    public void close() {
        ended = true;
        LockSupport.unpark(thread);
        try {
            thread.join(END_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
