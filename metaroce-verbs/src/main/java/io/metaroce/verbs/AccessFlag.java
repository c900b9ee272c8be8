package io.metaroce.verbs;

import io.metaroce.memory.Access;
import java.util.EnumSet;
import java.util.Set;

/** What may be done with a memory region besides reading it locally. Values as in {@code ibv_access_flags}. */
public enum AccessFlag {
    /** Receives posted on this side may write into it. */
    LOCAL_WRITE(Access.LOCAL_WRITE),
    /** Peers that know its rkey may write into it. Includes {@link #LOCAL_WRITE}, which verbs demands beside it. */
    REMOTE_WRITE(Access.REMOTE_WRITE),
    /** Peers that know its rkey may read it. */
    REMOTE_READ(Access.REMOTE_READ),
    /** Peers that know its rkey may do atomic operations on it. Includes {@link #LOCAL_WRITE}. */
    REMOTE_ATOMIC(Access.REMOTE_ATOMIC);

    private final int value;

    AccessFlag(int value) {
        this.value = value;
    }

    /** The bit of this flag. */
    public int value() {
        return value;
    }

    static int mask(AccessFlag... flags) {
        int mask = 0;
        for (AccessFlag flag : flags) {
            mask |= flag.value;
        }
        return (mask & (Access.REMOTE_WRITE | Access.REMOTE_ATOMIC)) != 0 ? mask | Access.LOCAL_WRITE : mask;
    }

    static Set<AccessFlag> setOf(int mask) {
        EnumSet<AccessFlag> set = EnumSet.noneOf(AccessFlag.class);
        for (AccessFlag flag : values()) {
            if ((mask & flag.value) != 0) {
                set.add(flag);
            }
        }
        return set;
    }
}
