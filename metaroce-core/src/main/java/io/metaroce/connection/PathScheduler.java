package io.metaroce.connection;

/** Chooses the path of the next new packet. Policies are exchangeable; the standard one is {@link SprayScheduler}. */
public interface PathScheduler {
    /** No path has room. */
    int NONE = -1;

    /**
     * The path that takes a packet of {@code costBytes}, or {@link #NONE}.
     *
     * @param planesWithRoom bit k is set while plane k takes packets
     */
    int select(long nowNs, int costBytes, int planesWithRoom);

    /** The chosen path has taken the packet. */
    void taken(int path, int costBytes);

    /** A packet of the path was acknowledged without a mark. */
    void onClean(int path);
}
