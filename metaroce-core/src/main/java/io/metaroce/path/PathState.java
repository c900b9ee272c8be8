package io.metaroce.path;

/** The states of a path as its sender sees it. */
public enum PathState {
    /** The address of its plane is not yet validated; no slots. */
    VALIDATING,
    /** Carries new slots. */
    ACTIVE,
    /** Silent while others deliver: no new slots, no resends by the loss rule. */
    SUSPECT,
    /** No new slots, resends go on, until nothing is unacknowledged. */
    DRAINING,
    /** Confirmed failed with nothing to borrow: its slots wait. */
    FAILED,
    /** Taken out by the operator. */
    ADMIN_DOWN;

    /** The number of the state in events. */
    @SuppressWarnings("EnumOrdinal") // the order of the constants is that of the specification
    public int number() {
        return ordinal();
    }
}
