package com.ibm.disni.util;

/**
 * The affinity of a thread to processors, which DiSNI's completion threads set when they begin: here it is remembered
 * and has no effect. Stands in for the class of the same name that loads a native library.
 */
public class NativeAffinity {
    private static final ThreadLocal<Long> ASKED = ThreadLocal.withInitial(() -> 0L);

    /** Remembers what was asked. */
    public static void setAffinity(long mask) {
        ASKED.set(mask);
    }

    /** What this thread asked for; 0 when it never did. */
    public static long getAffinity() {
        return ASKED.get();
    }
}
