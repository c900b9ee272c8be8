package io.metaroce.udp;

import io.metaroce.datagram.Datagram;

/** What is done in a pass, as {@link LoopDriver} sees it: the engine's driver, or a recorder in tests. */
interface PassWork {
    /** Takes one datagram that has arrived. */
    void feed(long nowNs, Datagram datagram);

    /** Does what is due, sends what may be sent; returns when to be called again at the latest. */
    long quiesce(long nowNs);

    /** Whether another pass should follow at once although nothing may arrive. Asked after {@link #quiesce}. */
    boolean wantsPass();

    /** The work threw; nothing will be called any more. */
    void failed(Throwable cause);
}
