package io.metaroce.tools.peers;

import java.io.IOException;
import java.time.Duration;

/** One who takes turns at the tests. Idle between them. */
interface Contender extends AutoCloseable {
    /** What can be asked of it. */
    enum Test {
        /** As many bytes as possible. */
        BULK,
        /** As many messages of {@link Peer#SMALL_BYTES} as possible. */
        SMALL,
        /** Messages of {@link Peer#SMALL_BYTES} there and back, one after the other. */
        PING
    }

    /**
     * What one turn showed; NaN stands for what it does not tell.
     *
     * @param bytes payload that arrived
     * @param seconds the time that took
     * @param cpuSeconds processor time of both sides
     * @param halfNs half a round trip, median, in ns
     * @param half99Ns the same, of 99 of 100, in ns
     */
    record Reading(double bytes, double seconds, double cpuSeconds, double halfNs, double half99Ns) {
        /** That of a flow of payload. */
        static Reading flow(double bytes, double seconds, double cpuSeconds) {
            return new Reading(bytes, seconds, cpuSeconds, Double.NaN, Double.NaN);
        }

        /** That of round trips. */
        static Reading roundTrips(double halfNs, double half99Ns) {
            return new Reading(Double.NaN, Double.NaN, Double.NaN, halfNs, half99Ns);
        }
    }

    /** Whether it has this test at all. */
    boolean has(Test test);

    /** One turn of about so long. */
    Reading take(Test test, Duration time) throws IOException;

    /** A turn whose result does not count, for those whose first ones are slower. */
    void warmUp(Test test, Duration time) throws IOException;

    /** The network is another one from now on: what was learned of it counts no more. */
    void forget();

    @Override
    void close();
}
