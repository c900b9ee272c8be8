package io.metaroce.tools;

import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Stream;

/** What this process costs: memory, files, processor time of the event loops, pauses of the garbage collector. */
public final class ProcessFigures {
    private static final String LOOPS = "metaroce-udp";

    private ProcessFigures() {}

    /** Bytes of heap that are in use by what is still needed. */
    static long heapBytes() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    /** Open files and sockets; -1 where the system does not tell. */
    static long openFiles() {
        try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
            return files.count();
        } catch (IOException e) {
            return -1;
        }
    }

    /** Processor time that the event loops have taken so far, in ns. */
    static long loopCpuNs() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long sum = 0;
        for (long id : threads.getAllThreadIds()) {
            var thread = threads.getThreadInfo(id);
            if (thread != null && thread.getThreadName().startsWith(LOOPS)) {
                sum += Math.max(threads.getThreadCpuTime(id), 0);
            }
        }
        return sum;
    }

    /** How often and for how long garbage was collected in this process. */
    public record Garbage(long collections, long millis) {
        /** So far. */
        public static Garbage now() {
            long collections = 0;
            long millis = 0;
            for (GarbageCollectorMXBean each : ManagementFactory.getGarbageCollectorMXBeans()) {
                collections += Math.max(each.getCollectionCount(), 0);
                millis += Math.max(each.getCollectionTime(), 0);
            }
            return new Garbage(collections, millis);
        }

        /** Since {@code before}. */
        public Garbage since(Garbage before) {
            return new Garbage(collections - before.collections, millis - before.millis);
        }

        @Override
        public String toString() {
            return String.format(Locale.ROOT, "%d pauses, %d ms in all", collections, millis);
        }
    }
}
