package io.metaroce.disni;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Numbers that stand for buffers, since Java does not tell where a buffer lies and nothing here needs to know. A number
 * names one buffer object; a slice of it is another buffer. Buffers are not kept alive.
 */
public final class BufferAddresses {
    /** Far above the addresses of regions, so that one is never taken for the other. */
    private static final long FIRST = 1L << 62;

    private static final long STEP = 1L << 32;

    private static final ReferenceQueue<ByteBuffer> GONE = new ReferenceQueue<>();
    private static final Map<Same, Long> NUMBERS = new HashMap<>();
    private static final TreeMap<Long, Same> BUFFERS = new TreeMap<>();
    private static long next = FIRST;

    private BufferAddresses() {}

    /** The number of a buffer: always the same for one object. */
    public static long of(ByteBuffer buffer) {
        synchronized (NUMBERS) {
            forgetWhatIsGone();
            Same key = new Same(buffer);
            Long known = NUMBERS.get(key);
            if (known != null) {
                return known;
            }
            long number = next;
            next += STEP;
            NUMBERS.put(key, number);
            BUFFERS.put(number, key);
            return number;
        }
    }

    /** The bytes that a number stands for; null when it is not one of these numbers, or its buffer is gone. */
    static @Nullable ByteBuffer at(long number, int bytes) {
        synchronized (NUMBERS) {
            Map.Entry<Long, Same> known = BUFFERS.floorEntry(number);
            ByteBuffer buffer = known == null ? null : known.getValue().get();
            if (known == null || buffer == null || number - known.getKey() + bytes > buffer.capacity()) {
                return null;
            }
            int from = (int) (number - known.getKey());
            return buffer.duplicate().clear().position(from).limit(from + bytes).slice();
        }
    }

    private static void forgetWhatIsGone() {
        for (Object gone = GONE.poll(); gone != null; gone = GONE.poll()) {
            Long number = NUMBERS.remove(gone);
            if (number != null) {
                BUFFERS.remove(number);
            }
        }
    }

    /** A buffer that equals itself and nothing else. */
    private static final class Same extends WeakReference<ByteBuffer> {
        private final int hash;

        Same(ByteBuffer buffer) {
            super(buffer, GONE);
            hash = System.identityHashCode(buffer);
        }

        @Override
        public int hashCode() {
            return hash;
        }

        @Override
        @SuppressWarnings("ReferenceEquality") // the very same buffer is meant
        public boolean equals(@Nullable Object other) {
            return this == other || (other instanceof Same same && same.get() != null && same.get() == get());
        }
    }
}
