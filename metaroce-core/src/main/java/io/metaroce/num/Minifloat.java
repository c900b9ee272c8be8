package io.metaroce.num;

/**
 * The three small number formats of the wire: rate hints, demand, retry delay.
 *
 * <p>RateHint16 is {@code exponent:5 mantissa:11} and means {@code mantissa * 2^exponent} kbit/s; it rounds down, so
 * that shares never add up to more than they should. Demand8 is {@code exponent:4 mantissa:4} and rounds up.
 * RetryDelay16 counts units of 10 microseconds.
 */
public final class Minifloat {
    /** The hint code that means "no hint". */
    public static final int HINT_NONE = 0x0000;
    /** The hint code that means "send nothing". */
    public static final int HINT_PAUSE = 0x0800;

    private static final long HINT_KBIT_MAX = 2047L << 31;
    private static final long BYTES_PER_SECOND_PER_KBIT = 125;
    private static final int DEMAND_MAX = 0xFF;
    private static final long DEMAND_BYTES_MAX = 31L << 23;
    private static final long RETRY_UNIT_NS = 10_000;
    private static final long RETRY_UNITS_MAX = 0xFFFF;

    private Minifloat() {}

    /** The hint code of a rate in kbit/s, rounded down; at least code 1. */
    public static int encodeHintKbit(long kbit) {
        // R-HINT-001: rounds down, within 1/1024 from 1.024 Mbit/s on.
        if (kbit < 2048) {
            return (int) Math.max(kbit, 1);
        }
        if (kbit >= HINT_KBIT_MAX) {
            return 0xFFFF;
        }
        int exponent = 64 - Long.numberOfLeadingZeros(kbit) - 11;
        return (exponent << 11) | (int) (kbit >> exponent);
    }

    /** The hint code of a rate in bytes per second. */
    public static int encodeHint(long bytesPerSecond) {
        return encodeHintKbit(bytesPerSecond / BYTES_PER_SECOND_PER_KBIT);
    }

    /** The rate of a hint code in kbit/s; 0 for "no hint" and for a pause. */
    public static long decodeHintKbit(int code) {
        return (long) (code & 0x7FF) << ((code >>> 11) & 0x1F);
    }

    /** The rate of a hint code in bytes per second; 0 for "no hint" and for a pause. */
    public static long decodeHint(int code) {
        return decodeHintKbit(code) * BYTES_PER_SECOND_PER_KBIT;
    }

    /** Whether the code asks for a pause. */
    public static boolean isPause(int code) {
        return (code & 0x7FF) == 0 && (code & 0xF800) != 0;
    }

    /** The smallest demand code that does not understate {@code bytes}; saturates at 0xFF. */
    public static int encodeDemand(long bytes) {
        if (bytes <= 0) {
            return 0;
        }
        if (bytes >= DEMAND_BYTES_MAX) {
            return DEMAND_MAX;
        }
        // As many bits as the mantissa has, its leading one included, above those that are dropped.
        int exponent = Math.max(64 - Long.numberOfLeadingZeros(bytes) - 13, 0);
        long mantissa = demandMantissa(bytes, exponent);
        if (mantissa > 15) {
            exponent++;
            mantissa = demandMantissa(bytes, exponent);
        }
        return Math.max((exponent << 4) | (int) Math.max(mantissa, 0), 1);
    }

    // Rounded up.
    private static long demandMantissa(long bytes, int exponent) {
        int shift = exponent + 8;
        return ((bytes + (1L << shift) - 1) >> shift) - 16;
    }

    /** The bytes a demand code stands for; 0 for code 0. */
    public static long decodeDemand(int code) {
        int c = code & 0xFF;
        return c == 0 ? 0 : (long) (16 + (c & 15)) << ((c >>> 4) + 8);
    }

    /** The retry-delay code of {@code ns} nanoseconds, rounded up, saturating at 0xFFFF. */
    public static int encodeRetryDelay(long ns) {
        long limited = Math.min(ns, RETRY_UNITS_MAX * RETRY_UNIT_NS);
        return (int) ((limited + RETRY_UNIT_NS - 1) / RETRY_UNIT_NS);
    }

    /** The nanoseconds a retry-delay code stands for. */
    public static long decodeRetryDelay(int code) {
        return (code & 0xFFFF) * RETRY_UNIT_NS;
    }
}
