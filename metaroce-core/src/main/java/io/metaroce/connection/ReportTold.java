package io.metaroce.connection;

/** What reports say beside paths and streams. */
interface ReportTold {
    /** The newest report: bit k is set while the peer can receive on plane k. */
    void onPlanes(long nowNs, int planeUp);

    /** A challenge came back. */
    void onEcho(long nowNs, long challenge);
}
