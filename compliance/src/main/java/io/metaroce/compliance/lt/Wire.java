package io.metaroce.compliance.lt;

import org.jspecify.annotations.Nullable;

/** Network and clock between tester and implementation: in virtual time, or real sockets. */
public interface Wire extends AutoCloseable {
    /** Codepoint of a datagram that nobody can tell. */
    int ECN_UNKNOWN = -1;
    /** ECN codepoint ECT(0). */
    int ECT_0 = 2;
    /** ECN codepoint CE. */
    int CE = 3;

    /**
     * A datagram that reached the tester.
     *
     * @param atNs when
     * @param plane plane it came in on
     * @param sourcePort UDP source port it was seen with
     * @param ecn ECN codepoint, or {@link #ECN_UNKNOWN}
     * @param dscp class it travelled in: 0 data, 1 control, -1 unknown
     * @param bytes UDP payload
     */
    @SuppressWarnings("ArrayRecordComponent") // compared by nobody; handed on, not changed
    record Arrival(long atNs, int plane, int sourcePort, int ecn, int dscp, byte[] bytes) {}

    /** Now, in ns; never runs backwards. */
    long nowNs();

    /** How many planes there are. */
    int planes();

    /** Where the tester receives on a plane, {@code a.b.c.d:port}. */
    String testerAddress(int plane);

    /** Tells the wire where the implementation receives. */
    void iutAddresses(java.util.List<String> addresses);

    /** Sends from the tester, by one of its source ports; 0 is that of its service address. */
    void send(int plane, int sourcePort, int ecn, byte[] bytes);

    /**
     * Lets time pass until something arrives, which is returned; null when nothing has come until {@code deadlineNs},
     * or earlier when something else may be worth a look.
     */
    @Nullable
    Arrival next(long deadlineNs);

    @Override
    void close();
}
