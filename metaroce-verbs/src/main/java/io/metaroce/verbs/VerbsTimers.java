package io.metaroce.verbs;

import java.time.Duration;

/** The coded times of verbs, and what they mean. */
public final class VerbsTimers {
    private static final int CODE_MAX = 31;
    private static final long ACK_UNIT_NS = 4_096;
    /** In units of 10 us, as in the InfiniBand specification. */
    private static final int[] RNR_10_US = {
        65_536, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1_024, 1_536, 2_048, 3_072,
        4_096, 6_144, 8_192, 12_288, 16_384, 24_576, 32_768, 49_152
    };

    private VerbsTimers() {}

    /** What {@code min_rnr_timer} means: 10 us (code 1) to 491.52 ms (code 31), and 655.36 ms for code 0. */
    public static Duration rnrTimer(int code) {
        return Duration.ofNanos(10_000L * RNR_10_US[checked(code, "min_rnr_timer")]);
    }

    /** The code of the shortest {@code min_rnr_timer} that is not shorter. */
    public static int rnrTimerCode(Duration time) {
        for (int code = 1; code <= CODE_MAX; code++) {
            if (rnrTimer(code).compareTo(time) >= 0) {
                return code;
            }
        }
        return 0;
    }

    /** What {@code timeout} means: 4.096 us times a power of two. Code 0 waits for ever and has no duration. */
    public static Duration ackTimeout(int code) {
        if (code == 0) {
            throw new VerbsException("VerbsTimers", "timeout = 0 as a duration", "it means: for ever", "give 1 to 31");
        }
        return Duration.ofNanos(ACK_UNIT_NS << checked(code, "timeout"));
    }

    /** The code of the shortest {@code timeout} that is not shorter. */
    public static int ackTimeoutCode(Duration time) {
        for (int code = 1; code < CODE_MAX; code++) {
            if (ackTimeout(code).compareTo(time) >= 0) {
                return code;
            }
        }
        return CODE_MAX;
    }

    private static int checked(int code, String name) {
        if (code < 0 || code > CODE_MAX) {
            throw new VerbsException("VerbsTimers", name + " = " + code, "0 to " + CODE_MAX, "change " + name);
        }
        return code;
    }
}
