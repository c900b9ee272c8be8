package io.metaroce.collective;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Combines ranges of elements: each element of the target becomes {@code source ∘ target}, source on the left.
 *
 * @param type what elements are
 * @param reduction how two become one
 */
public record Arithmetic(ElementType type, Reduction reduction) {
    /** The order of bytes of all elements. */
    public static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;

    /**
     * Combines {@code bytes} bytes, a whole number of elements. Both buffers must have the order of bytes
     * {@link #ORDER}; positions are not used.
     */
    public void reduce(ByteBuffer source, int sourceAt, ByteBuffer target, int targetAt, int bytes) {
        if (bytes % type.bytes() != 0 || source.order() != ORDER || target.order() != ORDER) {
            throw new IllegalArgumentException(bytes + " bytes in order " + source.order() + " and " + target.order()
                    + " are no elements of " + type + " in order " + ORDER);
        }
        switch (type) {
            case INT32 -> reduceInts(source, sourceAt, target, targetAt, bytes);
            case INT64 -> reduceLongs(source, sourceAt, target, targetAt, bytes);
            case FLOAT32 -> reduceFloats(source, sourceAt, target, targetAt, bytes);
            case FLOAT64 -> reduceDoubles(source, sourceAt, target, targetAt, bytes);
        }
    }

    private void reduceInts(ByteBuffer source, int sourceAt, ByteBuffer target, int targetAt, int bytes) {
        for (int i = 0; i < bytes; i += Integer.BYTES) {
            int left = source.getInt(sourceAt + i);
            int right = target.getInt(targetAt + i);
            target.putInt(
                    targetAt + i,
                    switch (reduction) {
                        case SUM -> left + right;
                        case MIN -> Math.min(left, right);
                        case MAX -> Math.max(left, right);
                    });
        }
    }

    private void reduceLongs(ByteBuffer source, int sourceAt, ByteBuffer target, int targetAt, int bytes) {
        for (int i = 0; i < bytes; i += Long.BYTES) {
            long left = source.getLong(sourceAt + i);
            long right = target.getLong(targetAt + i);
            target.putLong(
                    targetAt + i,
                    switch (reduction) {
                        case SUM -> left + right;
                        case MIN -> Math.min(left, right);
                        case MAX -> Math.max(left, right);
                    });
        }
    }

    private void reduceFloats(ByteBuffer source, int sourceAt, ByteBuffer target, int targetAt, int bytes) {
        for (int i = 0; i < bytes; i += Float.BYTES) {
            float left = source.getFloat(sourceAt + i);
            float right = target.getFloat(targetAt + i);
            target.putFloat(
                    targetAt + i,
                    switch (reduction) {
                        case SUM -> left + right;
                        case MIN -> Math.min(left, right);
                        case MAX -> Math.max(left, right);
                    });
        }
    }

    private void reduceDoubles(ByteBuffer source, int sourceAt, ByteBuffer target, int targetAt, int bytes) {
        for (int i = 0; i < bytes; i += Double.BYTES) {
            double left = source.getDouble(sourceAt + i);
            double right = target.getDouble(targetAt + i);
            target.putDouble(
                    targetAt + i,
                    switch (reduction) {
                        case SUM -> left + right;
                        case MIN -> Math.min(left, right);
                        case MAX -> Math.max(left, right);
                    });
        }
    }
}
