package io.metaroce.verbs;

import io.metaroce.datagram.Address;
import java.util.Locale;

/**
 * What two sides tell each other to connect without a listener: over a socket of their own, as the tools of perftest
 * do.
 *
 * @param address where the device receives
 * @param qpNumber the queue pair, 24 bits
 * @param psn a number drawn at random, 24 bits, so that a tuple of an earlier run fits nobody
 */
public record QpTuple(Address address, int qpNumber, int psn) {
    private static final int BITS_24 = (1 << 24) - 1;

    /** Checks the bounds. */
    public QpTuple {
        if (qpNumber < 0 || qpNumber > BITS_24 || psn < 0 || psn > BITS_24) {
            throw new VerbsException(
                    "QpTuple",
                    "QPN " + qpNumber + ", PSN " + psn,
                    "both have 24 bits",
                    "take what QueuePair.tuple of the other side says");
        }
    }

    /** {@code QPN 0x000011 PSN 0x5a1c02 ADDR 10.0.0.1:4791}, as {@link #toString} writes it. */
    static String text(QpTuple tuple) {
        return String.format(Locale.ROOT, "QPN 0x%06x PSN 0x%06x ADDR %s", tuple.qpNumber, tuple.psn, tuple.address);
    }

    @Override
    public String toString() {
        return text(this);
    }
}
