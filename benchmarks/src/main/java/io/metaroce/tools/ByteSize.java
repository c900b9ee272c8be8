package io.metaroce.tools;

import java.util.Locale;

/**
 * A number of bytes as people type it: {@code 65536}, {@code 64K}, {@code 1M}, {@code 2G}; powers of 1024.
 *
 * @param bytes the number
 */
public record ByteSize(long bytes) {
    /** Reads a size. */
    public static ByteSize parse(String text) {
        String trimmed = text.trim().toUpperCase(Locale.ROOT);
        int shift = 0;
        String digits = trimmed;
        if (!trimmed.isEmpty()) {
            shift = switch (trimmed.charAt(trimmed.length() - 1)) {
                case 'K' -> 10;
                case 'M' -> 20;
                case 'G' -> 30;
                default -> 0;
            };
            digits = shift == 0 ? trimmed : trimmed.substring(0, trimmed.length() - 1);
        }
        try {
            long number = Long.parseLong(digits);
            if (number >= 0 && number <= Long.MAX_VALUE >> shift) {
                return new ByteSize(number << shift);
            }
        } catch (NumberFormatException e) {
            // told below, with everything else that is no size
        }
        throw new IllegalArgumentException("'" + text + "' is no size; write 65536, 64K, 1M or 2G");
    }

    /** The size in the shortest of these forms. */
    public static String format(long bytes) {
        if (bytes > 0 && bytes % (1L << 30) == 0) {
            return (bytes >> 30) + " GiB";
        }
        if (bytes > 0 && bytes % (1L << 20) == 0) {
            return (bytes >> 20) + " MiB";
        }
        if (bytes > 0 && bytes % (1L << 10) == 0) {
            return (bytes >> 10) + " KiB";
        }
        return bytes + " B";
    }
}
