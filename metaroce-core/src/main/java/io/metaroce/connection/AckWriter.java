package io.metaroce.connection;

import io.metaroce.datagram.Transmit;
import io.metaroce.path.InboundPath;
import io.metaroce.wire.AckHeader;
import io.metaroce.wire.BaseHeader;
import io.metaroce.wire.Opcode;
import io.metaroce.wire.PathBlock;
import io.metaroce.wire.StreamUpdate;
import java.nio.ByteBuffer;

/** Writes reports: what the paths received, what became of messages, and the rate granted to the peer. */
final class AckWriter {
    private static final int REPORT_BYTES_MAX = 1400;
    private static final int ENTRIES_MAX = 255;
    private static final int RX_BYTES_UNIT_SHIFT = 6;
    private static final int UPDATES_RESERVED = 8; // so that blocks of many paths do not keep streams waiting

    private final PathSet paths;
    private final StreamPorts streams;
    private final Reporting reporting;
    private final Scratch scratch;
    private final ProbeAnswers answers;
    private int firstPath;
    private long pausedUntilNs;

    AckWriter(PathSet paths, StreamPorts streams, Reporting reporting, ProbeAnswers answers, Scratch scratch) {
        this.paths = paths;
        this.streams = streams;
        this.reporting = reporting;
        this.answers = answers;
        this.scratch = scratch;
    }

    /**
     * Writes one acknowledgement.
     *
     * @param hint the rate granted to the peer, as a code
     * @param planesUp bit k is set while this side can receive on plane k
     * @param rxBytes payload accepted so far
     * @return whether news is left for another report
     */
    boolean write(long nowNs, Transmit out, int hint, int planesUp, long rxBytes) {
        ByteBuffer buffer = out.header();
        PathBlock block = scratch.block;
        int at = AckHeader.LENGTH;
        int blocks = 0;
        boolean left = false;
        int n = paths.inboundWidth();
        int blocksEnd = streams.updates().hasNews()
                ? REPORT_BYTES_MAX - UPDATES_RESERVED * StreamUpdate.LENGTH
                : REPORT_BYTES_MAX;
        int number = firstPath;
        for (int i = 0; i < n; i++) {
            InboundPath path = paths.inboundOrNull(number);
            number = number + 1 == n ? 0 : number + 1;
            if (path == null || !path.hasNews()) {
                continue;
            }
            int parts = path.blocks();
            if (at + path.blocksBytes() + answers.chainLength() > blocksEnd || blocks + parts > ENTRIES_MAX) {
                firstPath = path.id(); // the next report begins with the oldest news
                left = true;
                break;
            }
            path.describe(nowNs, block.wrap(buffer, at));
            at += block.lengthBytes();
            if (parts > 1) {
                path.describeView(nowNs, block.wrap(buffer, at));
                at += block.lengthBytes();
            }
            blocks += parts;
        }
        int updatesAt = at;
        at = writeUpdates(nowNs, buffer, at);
        int updates = (at - updatesAt) / StreamUpdate.LENGTH;
        left |= !hasRoomForUpdate(at, updates) && streams.updates().hasNews();
        int flags = 0;
        if (answers.hasEcho()) {
            at += answers.writeEcho(buffer, at);
            flags = BaseHeader.X;
        } else if (Grease.isInReport(reporting.nextGrease()) && at + Grease.CHAIN_LENGTH <= REPORT_BYTES_MAX) {
            // R-HDR-016: now and then something that the other side can only skip.
            at += Grease.writeChain(buffer, at, reporting.nextGrease());
            flags = BaseHeader.X;
        }
        // R-ACK-005: every acknowledgement carries rate hint, planes and bytes received.
        scratch.ack
                .wrap(buffer, 0)
                .rateHint(hint)
                .planeUp(planesUp)
                .rxBytes((int) (rxBytes >>> RX_BYTES_UNIT_SHIFT))
                .pathBlockCount(blocks)
                .streamUpdateCount(updates)
                .ackFlags(ackFlags(nowNs));
        buffer.put(AckHeader.LENGTH - 1, (byte) 0);
        out.headerLength(at);
        out.noPayload();
        reporting.finish(nowNs, out, Opcode.ACK, flags);
        return left;
    }

    /** This side was paused; for {@code ns} its reports say so. */
    void onPaused(long nowNs, long ns) {
        pausedUntilNs = nowNs + ns;
    }

    private int ackFlags(long nowNs) {
        int answer = answers.takeAnswer() ? AckHeader.PROBE_ANSWER : 0;
        return nowNs < pausedUntilNs ? answer | AckHeader.PAUSED : answer;
    }

    private boolean hasRoomForUpdate(int at, int updates) {
        return at + StreamUpdate.LENGTH + answers.chainLength() <= REPORT_BYTES_MAX && updates < ENTRIES_MAX;
    }

    private int writeUpdates(long nowNs, ByteBuffer buffer, int from) {
        int at = from;
        int updates = 0;
        while (hasRoomForUpdate(at, updates) && streams.updates().fill(nowNs, scratch.update.wrap(buffer, at))) {
            at += StreamUpdate.LENGTH;
            updates++;
        }
        return at;
    }
}
