package io.metaroce.connection;

import io.metaroce.datagram.TrafficClass;
import io.metaroce.datagram.Transmit;
import io.metaroce.num.Bits;
import io.metaroce.num.StampClock;
import io.metaroce.trace.Counter;
import io.metaroce.trace.Counters;

/** What all report packets have in common: their sequence number, their route, their base header. */
final class Reporting {
    private final Agreement agreement;
    private final PathSet paths;
    private final Seal seal;
    private final Counters counters;
    private final ReportTurn turn;
    private @Bits(32) int lastAckSeq;
    private @Bits(32) int firstAckSeq; // where the counting began
    private int planes = -1;

    Reporting(Agreement agreement, PathSet paths, Seal seal, Counters counters) {
        this.agreement = agreement;
        this.paths = paths;
        this.seal = seal;
        this.counters = counters;
        this.turn = new ReportTurn(paths);
    }

    /** Reports are numbered from the one after {@code ackSeq} on; before the first. */
    void beginAfter(int ackSeq) {
        lastAckSeq = ackSeq;
        firstAckSeq = ackSeq;
    }

    /** Whether a report may leave now over one of the planes {@code up}, of which {@code room} take a packet. */
    boolean mayLeave(long nowNs, int up, int room) {
        planes = turn.planes(nowNs, up, room);
        return planes != 0;
    }

    /** When a report that waits for its plane waits no longer. */
    long waitsUntilNs() {
        return turn.deadlineNs();
    }

    /** Number of the last report. */
    @Bits(32)
    int lastAckSeq() {
        return lastAckSeq;
    }

    /** What decides whether the next report carries an option without meaning. */
    int nextGrease() {
        return Grease.bits(agreement.receiveSeed(), lastAckSeq + 1 - firstAckSeq);
    }

    /** Closes a report whose body has been written. */
    void finish(long nowNs, Transmit out, int opcode, int flags) {
        out.trafficClass(TrafficClass.CONTROL);
        out.route(paths.nextReportRoute(planes));
        lastAckSeq++;
        seal.begin(out, opcode)
                .flags(flags)
                .dstConnId(agreement.peerId())
                .psn(lastAckSeq)
                .txStamp(StampClock.at(nowNs));
        seal.close(out, agreement.sendSeed());
        counters.increment(Counter.ACKS_SENT);
    }
}
