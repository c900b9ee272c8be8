package io.metaroce.wire.model;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** An immutable string of bytes, equal to another with the same bytes. */
public final class Bytes {
    /** No bytes. */
    public static final Bytes NONE = new Bytes(new byte[0]);

    private final byte[] content;

    private Bytes(byte[] content) {
        this.content = content;
    }

    /** A copy of {@code bytes}. */
    public static Bytes of(byte[] bytes) {
        return new Bytes(bytes.clone());
    }

    /** A copy of {@code length} bytes at the absolute index {@code at} of {@code buffer}. */
    public static Bytes of(ByteBuffer buffer, int at, int length) {
        byte[] copy = new byte[length];
        buffer.get(at, copy);
        return new Bytes(copy);
    }

    /** The bytes that {@code hex} spells. */
    public static Bytes ofHex(String hex) {
        return new Bytes(HexFormat.of().parseHex(hex));
    }

    /** Number of bytes. */
    public int length() {
        return content.length;
    }

    /** A copy of the bytes. */
    public byte[] toArray() {
        return content.clone();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Bytes bytes && Arrays.equals(content, bytes.content);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(content);
    }

    /** The bytes in hexadecimal. */
    @Override
    public String toString() {
        return HexFormat.of().formatHex(content);
    }
}
