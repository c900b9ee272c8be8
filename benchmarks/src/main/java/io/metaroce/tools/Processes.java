package io.metaroce.tools;

import java.util.concurrent.TimeUnit;

/** What all who start other processes do with them in the end. */
public final class Processes {
    private static final int GRACE_SECONDS = 2;

    private Processes() {}

    /** Asks a process to end, and ends it when it does not within two seconds. */
    public static void end(Process process) {
        process.destroy();
        try {
            if (!process.waitFor(GRACE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
