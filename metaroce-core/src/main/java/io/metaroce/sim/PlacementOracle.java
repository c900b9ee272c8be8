package io.metaroce.sim;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Knows what memory must look like. It keeps two shadow copies of every region it watches: how it was, and how it will
 * be when all announced writes are done.
 *
 * <ul>
 *   <li>At any time each byte equals one of the two: {@link #faultNow}. So nothing outside announced ranges is touched,
 *       and inside only the right bytes appear.
 *   <li>When all work is complete each byte equals the second: {@link #faultAtEnd}.
 * </ul>
 */
public final class PlacementOracle {
    private final List<Watched> regions = new ArrayList<>();

    /** A region under watch. */
    public static final class Watched {
        private final String name;
        private final ByteBuffer memory;
        private final byte[] before;
        private final byte[] after;

        private Watched(String name, ByteBuffer memory) {
            this.name = name;
            this.memory = memory;
            before = copy(memory);
            after = before.clone();
        }

        /** Announces a write: {@code length} bytes at {@code offset} will become those at {@code from}. */
        public void expect(int offset, ByteBuffer source, int from, int length) {
            source.get(from, after, offset, length);
        }

        /** Takes what is announced as done: from now on only the new bytes are right. */
        public void settle() {
            System.arraycopy(after, 0, before, 0, after.length);
        }

        /** Takes one announced write as done: from now on only the new bytes are right there. */
        public void settle(int offset, int length) {
            System.arraycopy(after, offset, before, offset, length);
        }

        /** The application puts other content there: from now on only that is right. */
        public void reuse(int offset, int length) {
            for (int i = offset; i < offset + length; i++) {
                byte other = (byte) (memory.get(i) + 1);
                memory.put(i, other);
                before[i] = other;
                after[i] = other;
            }
        }

        /** Whether an announced write is there, all of it. */
        public boolean isPlaced(int offset, int length) {
            return memory.slice(offset, length).equals(ByteBuffer.wrap(after, offset, length));
        }

        /** Whether any of these bytes is no longer what it was. */
        public boolean shows(int offset, int length) {
            return !memory.slice(offset, length).equals(ByteBuffer.wrap(before, offset, length));
        }

        // Runs of bytes that equal one copy or the other, each found by one comparison of ranges.
        private String fault(String when, byte[] other) {
            int at = 0;
            while (at < after.length) {
                int run = Math.max(run(after, at), run(other, at));
                if (run == 0) {
                    return "region " + name + ", byte " + at + " of " + after.length + " " + when + ": is "
                            + memory.get(at) + ", was " + before[at] + " before, must become " + after[at];
                }
                at += run;
            }
            return "";
        }

        private int run(byte[] wanted, int at) {
            int length = wanted.length - at;
            int mismatch = memory.slice(at, length).mismatch(ByteBuffer.wrap(wanted, at, length));
            return mismatch < 0 ? length : mismatch;
        }
    }

    /** Begins to watch a region as it is now. */
    public Watched watch(String name, ByteBuffer memory) {
        Watched region = new Watched(name, memory);
        regions.add(region);
        return region;
    }

    /** What is wrong now, work being under way; empty when nothing is. */
    public String faultNow() {
        for (Watched region : regions) {
            String fault = region.fault("while work is under way", region.before);
            if (!fault.isEmpty()) {
                return fault;
            }
        }
        return "";
    }

    /** What is wrong when all announced work is complete; empty when nothing is. */
    public String faultAtEnd() {
        for (Watched region : regions) {
            String fault = region.fault("at the end", region.after);
            if (!fault.isEmpty()) {
                return fault;
            }
        }
        return "";
    }

    private static byte[] copy(ByteBuffer memory) {
        byte[] bytes = new byte[memory.capacity()];
        memory.get(0, bytes, 0, bytes.length);
        return bytes;
    }
}
