package io.metaroce.udp;

import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;

/**
 * A few lines per interval, then silence that says how much it swallowed. For what may happen very often when a network
 * misbehaves. One thread.
 */
final class RateLimitedLog {
    private static final int LINES_MAX = 5;
    private static final long INTERVAL_NS = TimeUnit.SECONDS.toNanos(10);

    /** How loud. */
    enum Level {
        INFO,
        WARN
    }

    private final Logger logger;
    private final Level level;
    private boolean started;
    private long sinceNs;
    private int lines;
    private long swallowed;

    RateLimitedLog(Logger logger, Level level) {
        this.logger = logger;
        this.level = level;
    }

    void line(long nowNs, String text) {
        if (!started || nowNs - sinceNs >= INTERVAL_NS) {
            String before = swallowed == 0 ? "" : " (" + swallowed + " lines like this were left out before)";
            started = true;
            sinceNs = nowNs;
            lines = 0;
            swallowed = 0;
            write(text + before);
        } else if (lines < LINES_MAX) {
            write(text);
        } else {
            swallowed++;
        }
    }

    private void write(String text) {
        lines++;
        if (level == Level.INFO) {
            logger.info("{}", text);
        } else {
            logger.warn("{}", text);
        }
    }
}
