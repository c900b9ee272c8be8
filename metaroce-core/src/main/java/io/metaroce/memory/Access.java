package io.metaroce.memory;

/**
 * Who may do what with a region. Values are those of {@code ibv_access_flags} in rdma-core. Local reading is always
 * allowed.
 */
public final class Access {
    /** This side's receives and read responses may be placed into the region. */
    public static final int LOCAL_WRITE = 1;

    /** The peer may write into the region. */
    public static final int REMOTE_WRITE = 2;

    /** The peer may read from the region. */
    public static final int REMOTE_READ = 4;

    /** The peer may run atomics on the region. */
    public static final int REMOTE_ATOMIC = 8;

    /** All bits there are. */
    public static final int ALL = LOCAL_WRITE | REMOTE_WRITE | REMOTE_READ | REMOTE_ATOMIC;

    /** The bits that let something change the region. */
    static final int WRITES = LOCAL_WRITE | REMOTE_WRITE | REMOTE_ATOMIC;

    /** The bits that concern the peer. */
    static final int REMOTE = REMOTE_WRITE | REMOTE_READ | REMOTE_ATOMIC;

    private Access() {}
}
