package io.metaroce.connection;

/** What the paths of all connections to a peer say about one plane. */
final class PlaneTally {
    private static final int SILENT_MIN = 2;

    private int silent; // on the plane, lately suspect
    private int alive; // on the plane, delivered lately
    private boolean delivered; // on another plane

    void reset() {
        silent = 0;
        alive = 0;
        delivered = false;
    }

    void countSilent() {
        silent++;
    }

    void countAlive() {
        alive++;
    }

    void otherPlaneDelivers() {
        delivered = true;
    }

    /** Whether two thirds of the paths that could tell are silent, two at least, while another plane delivers. */
    boolean isPlaneLost() {
        return delivered && silent >= SILENT_MIN && 3 * silent >= 2 * (silent + alive);
    }
}
