package io.metaroce.connection;

/** The life of the streams of a connection. */
public interface StreamLife {
    /** The connection stands: data may be sent. */
    void start(long nowNs);

    /** Whether requests of this side are outstanding. */
    boolean hasWork();

    /** New requests are flushed from now on; those outstanding go on. */
    void stopAccepting(long nowNs);
}
