package io.metaroce.tools.perf;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** How much of the machine's processors this process takes. */
final class ProcessorTime {
    private final long cpuNs = spentNs();
    private final long wallNs = System.nanoTime();

    /** Per cent of all processors since this was made. */
    double percent() {
        long tookNs = Math.max(System.nanoTime() - wallNs, 1);
        return 100.0 * (spentNs() - cpuNs) / tookNs / Runtime.getRuntime().availableProcessors();
    }

    private static long spentNs() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean here
                ? here.getProcessCpuTime()
                : 0;
    }
}
