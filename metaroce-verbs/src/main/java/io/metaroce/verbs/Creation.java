package io.metaroce.verbs;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Where something was made, so that what nobody closed can be found. Costs a stack trace each; off unless asked for.
 */
public final class Creation extends RuntimeException {
    private static final long serialVersionUID = 1;
    private static volatile boolean traced = Boolean.getBoolean("metaroce.leaks");

    private Creation() {
        super("made on thread " + Thread.currentThread().getName());
    }

    /** Has places of creation noted from now on, or no longer, for everything in this process. */
    public static void trace(boolean on) {
        traced = on;
    }

    static boolean isTraced() {
        return traced;
    }

    static @Nullable Creation now() {
        return traced ? new Creation() : null;
    }

    /** The first place outside of this package. */
    static String place(@Nullable Creation creation) {
        if (creation == null) {
            return "made at an unknown place; -Dmetaroce.leaks=true tells";
        }
        String own = Creation.class.getPackageName() + ".";
        for (StackTraceElement frame : creation.getStackTrace()) {
            boolean isOwn = frame.getClassName().startsWith(own)
                    && !frame.getClassName().endsWith("Test");
            if (!isOwn) {
                return String.format(Locale.ROOT, "%s, at %s", creation.getMessage(), frame);
            }
        }
        return String.valueOf(creation.getMessage());
    }
}
