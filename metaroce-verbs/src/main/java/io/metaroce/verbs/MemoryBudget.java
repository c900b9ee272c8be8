package io.metaroce.verbs;

import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A hard limit for direct memory that is made by {@link ProtectionDomain#allocate} and {@code registerCopy}: beyond it
 * they refuse instead of running the process out of memory. Memory counts until it is really free, which is some time
 * after its region was closed. One for the process, and one for each device.
 *
 * <p>Thread rule: any thread.
 */
public final class MemoryBudget {
    private static final Cleaner CLEANER = Cleaner.create();
    /** How long a caller waits for memory whose region was closed. */
    private static final int TRIES = 20;

    private static final MemoryBudget PROCESS = new MemoryBudget(null);

    private final @Nullable MemoryBudget above;
    private final AtomicLong used = new AtomicLong();
    private final AtomicLong released = new AtomicLong();
    private volatile long limit = Long.MAX_VALUE;

    MemoryBudget(@Nullable MemoryBudget above) {
        this.above = above;
    }

    /** That of the process, over all devices. */
    public static MemoryBudget process() {
        return PROCESS;
    }

    /** Bytes that may be in use at once; no limit but the JVM's unless said otherwise. */
    public void limitBytes(long bytes) {
        if (bytes < 0) {
            throw new VerbsException("MemoryBudget", "a limit of " + bytes + " bytes", "0 and up", "change the limit");
        }
        limit = bytes;
    }

    /** The limit in bytes. */
    public long limitBytes() {
        return limit;
    }

    /** Bytes in use now, those included whose regions were closed and which have not been collected yet. */
    public long usedBytes() {
        return used.get();
    }

    /** Takes memory out of the budget, or says false. */
    boolean reserve(long bytes) {
        for (int i = 0; i < TRIES; i++) {
            if (tryReserve(bytes)) {
                return true;
            }
            if (limit < bytes || released.get() <= 0) {
                return false;
            }
            // As the JDK does for its own limit: what is garbage already may be collected in time.
            System.gc();
            pause();
        }
        return tryReserve(bytes);
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(5);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean tryReserve(long bytes) {
        if (used.addAndGet(bytes) > limit || used.get() < 0) {
            used.addAndGet(-bytes);
            return false;
        }
        if (above != null && !above.reserve(bytes)) {
            used.addAndGet(-bytes);
            return false;
        }
        return true;
    }

    /** Gives memory back that never came to be. */
    void unreserve(long bytes) {
        used.addAndGet(-bytes);
        if (above != null) {
            above.unreserve(bytes);
        }
    }

    /** The memory counts until these buffers are gone. */
    void until(ByteBuffer[] chunks) {
        for (ByteBuffer chunk : chunks) {
            long bytes = chunk.capacity();
            Cleaner.Cleanable unused = CLEANER.register(chunk, () -> collected(bytes));
        }
    }

    private void collected(long bytes) {
        used.addAndGet(-bytes);
        released.addAndGet(-bytes);
        if (above != null) {
            above.collected(bytes);
        }
    }

    /** The region of so much memory was closed: it will be collected. */
    void closing(long bytes) {
        released.addAndGet(bytes);
        if (above != null) {
            above.closing(bytes);
        }
    }

    @Override
    public String toString() {
        return used.get() + " of " + (limit == Long.MAX_VALUE ? "unlimited" : limit + "") + " bytes";
    }
}
