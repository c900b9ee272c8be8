package io.metaroce.queue;

import java.lang.invoke.VarHandle;

/** Order of memory towards threads that look at it without a completion. Thread rule: any thread. */
public final class Fences {
    private Fences() {}

    /**
     * What this thread has written before shows no later than what it writes from now on, to a thread that reads the
     * latter with acquire. On x86 it only keeps the compiler from moving anything; on processors that reorder stores,
     * it is an instruction.
     */
    public static void release() {
        VarHandle.releaseFence();
    }
}
