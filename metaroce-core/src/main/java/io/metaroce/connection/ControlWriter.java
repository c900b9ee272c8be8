package io.metaroce.connection;

import io.metaroce.datagram.Transmit;
import io.metaroce.num.Minifloat;
import io.metaroce.param.StreamError;
import io.metaroce.trace.Counter;
import io.metaroce.trace.Counters;
import io.metaroce.wire.NakHeader;
import io.metaroce.wire.Opcode;
import io.metaroce.wire.PlaneStatus;
import io.metaroce.wire.StreamList;
import io.metaroce.wire.StreamQuery;
import io.metaroce.wire.StreamUpdate;

/** Writes the small reports: refusals, questions about streams and the answers, credit updates. */
final class ControlWriter {
    private static final int ENTRIES_MAX = 32;

    private final ControlQueue queue;
    private final StreamPorts streams;
    private final Reporting reporting;
    private final Counters counters;
    private final Scratch scratch;

    ControlWriter(ControlQueue queue, StreamPorts streams, Reporting reporting, Counters counters, Scratch scratch) {
        this.queue = queue;
        this.streams = streams;
        this.reporting = reporting;
        this.counters = counters;
        this.scratch = scratch;
    }

    /** Writes the next packet from the queue; false when it is empty. */
    boolean write(long nowNs, Transmit out) {
        ConnectionPort.Refusal refusal = queue.nextRefusal();
        if (refusal != null) {
            writeNak(nowNs, out, refusal);
            return true;
        }
        if (queue.questions() > 0) {
            writeQuery(nowNs, out);
            return true;
        }
        return queue.answers() > 0 && writeStatus(nowNs, out);
    }

    /** Writes the news of streams alone, for when no path has any; false when there is none. */
    boolean writeCredit(long nowNs, Transmit out) {
        Seal.blank(out, StreamList.LENGTH);
        int n = 0;
        while (n < ENTRIES_MAX && streams.updates().fill(nowNs, entry(out, n))) {
            n++;
        }
        return finishList(nowNs, out, n, Opcode.CREDIT);
    }

    /** Tells where this side can receive, and which of its planes have changed. */
    void writePlaneStatus(long nowNs, Transmit out, int planeUp, int changed) {
        Seal.blank(out, PlaneStatus.LENGTH);
        scratch.planes.wrap(out.header(), 0).planeUp(planeUp).changed(changed);
        reporting.finish(nowNs, out, Opcode.PLANE_STATUS, 0);
    }

    private boolean writeStatus(long nowNs, Transmit out) {
        Seal.blank(out, StreamList.LENGTH);
        int n = 0;
        while (n < ENTRIES_MAX && queue.answers() > 0) {
            if (streams.updates().describe(queue.nextAnswer(), entry(out, n))) {
                n++;
            }
        }
        return finishList(nowNs, out, n, Opcode.STREAM_STATUS);
    }

    private boolean finishList(long nowNs, Transmit out, int n, int opcode) {
        if (n == 0) {
            return false;
        }
        scratch.list.wrap(out.header(), 0).count(n);
        out.headerLength(StreamList.LENGTH + n * StreamUpdate.LENGTH);
        reporting.finish(nowNs, out, opcode, 0);
        return true;
    }

    private StreamUpdate entry(Transmit out, int n) {
        return scratch.update.wrap(out.header(), StreamList.LENGTH + n * StreamUpdate.LENGTH);
    }

    private void writeQuery(long nowNs, Transmit out) {
        int n = Math.min(queue.questions(), ENTRIES_MAX);
        Seal.blank(out, StreamQuery.LENGTH + n * StreamQuery.ENTRY_LENGTH);
        StreamQuery query = scratch.query.wrap(out.header(), 0).count(n);
        for (int i = 0; i < n; i++) {
            query.streamId(i, queue.nextQuestion());
        }
        reporting.finish(nowNs, out, Opcode.STREAM_QUERY, 0);
        counters.increment(Counter.STREAM_QUERIES_SENT);
    }

    private void writeNak(long nowNs, Transmit out, ConnectionPort.Refusal refusal) {
        Seal.blank(out, NakHeader.LENGTH);
        scratch.nak
                .wrap(out.header(), 0)
                .code(refusal.error().code())
                .streamId(refusal.streamId())
                .msn(refusal.msn())
                .rsnLimit(refusal.rsnLimit())
                .slotPsn(refusal.slotPsn())
                .slotPath(refusal.slotPath())
                .attempt(refusal.attempt())
                .retryDelay(Minifloat.encodeRetryDelay(refusal.retryDelayNs()));
        reporting.finish(nowNs, out, Opcode.NAK, 0);
        if (refusal.error() == StreamError.RNR) {
            counters.increment(Counter.RNR_NAKS_SENT);
        }
    }
}
