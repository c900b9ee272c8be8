package io.metaroce.param;

import java.util.Arrays;
import java.util.Locale;

/** Bytes that nobody else may know: never printed, compared in constant time by whoever compares them. Immutable. */
public final class Secret {
    /** No secret. */
    public static final Secret NONE = new Secret(new byte[0]);
    /** Fewest bytes of a secret. */
    public static final int BYTES_MIN = 16;

    private static final int BYTES_MAX = 1024;
    private static final int HEX = 16;

    private final byte[] bytes;

    private Secret(byte[] bytes) {
        this.bytes = bytes;
    }

    /**
     * A secret of 16 to 1024 bytes.
     *
     * @throws IllegalArgumentException when it is shorter or longer
     */
    public static Secret of(byte[] bytes) {
        Check.range("length of a secret in bytes", bytes.length, BYTES_MIN, BYTES_MAX);
        return new Secret(bytes.clone());
    }

    /**
     * A secret written as hexadecimal digits; the empty text is {@link #NONE}.
     *
     * @throws IllegalArgumentException when it is no such text, or too short or too long
     */
    public static Secret ofHex(String digits) {
        if (digits.isEmpty()) {
            return NONE;
        }
        if (!digits.toLowerCase(Locale.ROOT).matches("([0-9a-f][0-9a-f])+")) {
            throw new IllegalArgumentException("a secret is written as an even number of hexadecimal digits, not as "
                    + digits.length() + " characters of other kinds");
        }
        byte[] bytes = new byte[digits.length() / 2];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) Integer.parseInt(digits.substring(2 * i, 2 * i + 2), HEX);
        }
        return of(bytes);
    }

    /** Whether there is one. */
    public boolean isPresent() {
        return bytes.length > 0;
    }

    /** A copy of the bytes. */
    public byte[] bytes() {
        return bytes.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Secret secret && Arrays.equals(bytes, secret.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return isPresent() ? "set" : "none";
    }
}
