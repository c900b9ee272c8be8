package io.metaroce.message;

import io.metaroce.connection.ConnectionPort;

/**
 * The bytes that Reads of this side have asked for, or will ask for, and that have not come. The connection hears of
 * them when they are accepted, which is before the first request of a doorbell leaves.
 */
final class ReadDemand {
    private final StreamTerms terms;
    private final ConnectionPort port;
    private long bytes;

    ReadDemand(StreamTerms terms, ConnectionPort port) {
        this.terms = terms;
        this.port = port;
    }

    /** A stream wants bytes (positive), or some have come (negative). */
    void add(long nowNs, Stream stream, long more) {
        stream.cursor.addWanted(more);
        bytes += more;
        if (more != 0) {
            tell(nowNs);
        }
    }

    /** A stream wants nothing any more. */
    void end(long nowNs, Stream stream) {
        add(nowNs, stream, -stream.cursor.wanted());
    }

    /** The connection stands: it hears of what was wanted before. */
    void tell(long nowNs) {
        ConnectionPort.Reads reads = port.reads();
        if (reads != null && terms.isStarted() && !terms.isEnded()) {
            reads.outstanding(nowNs, bytes);
        }
    }
}
