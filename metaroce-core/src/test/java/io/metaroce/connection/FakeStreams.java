package io.metaroce.connection;

import io.metaroce.datagram.Transmit;
import io.metaroce.num.Deadline;
import io.metaroce.wire.NakHeader;
import io.metaroce.wire.Opcode;
import io.metaroce.wire.PacketView;
import io.metaroce.wire.StreamUpdate;
import io.metaroce.wire.WriteHeader;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** Streams that do what a test says, and remember what they were told. */
final class FakeStreams implements PacketSource, PacketSink, UpdateSource, UpdateSink, StreamLife {
    /** News of one stream, waiting to be told. */
    record Told(int streamId, int nextMsn) {}

    /** An update that came, with the freshness it came with. */
    record Heard(int streamId, int nextMsn, Freshness freshness) {}

    final ArrayDeque<Told> news = new ArrayDeque<>();
    final List<Heard> heard = new ArrayList<>();
    final List<Integer> acked = new ArrayList<>();
    int packetsToSend;
    int packetBytes = 1000;
    boolean isSettled;
    boolean hasWork;
    int cutBytes;
    boolean isHeld;
    int gaveUpAbove;
    Urgency urgency = Urgency.ORDINARY;
    int accepted;

    StreamPorts ports() {
        return new StreamPorts(this, this, this, this, this);
    }

    @Override
    public void cut(long nowNs, int bytes, boolean isHeld) {
        cutBytes = bytes;
        this.isHeld = isHeld;
    }

    @Override
    public void giveUpAbove(long nowNs, int bytes) {
        gaveUpAbove = bytes;
    }

    @Override
    public int peekLength(long nowNs) {
        return packetsToSend > 0 ? packetBytes : 0;
    }

    @Override
    public void fill(long nowNs, int slot, Transmit out) {
        packetsToSend--;
        Seal.blank(out, packetBytes - Transmit.TRAILER_BYTES);
        out.header().put(1, (byte) Opcode.WRITE);
        new WriteHeader().wrap(out.header(), 0).messageLength(packetBytes);
    }

    @Override
    public boolean refill(long nowNs, int slot, Transmit out) {
        if (isSettled) {
            return false;
        }
        packetsToSend++;
        fill(nowNs, slot, out);
        return true;
    }

    @Override
    public void acked(long nowNs, int slot) {
        acked.add(slot);
    }

    @Override
    public long deadlineNs() {
        return Deadline.NEVER;
    }

    @Override
    public void onDeadline(long nowNs) {}

    @Override
    public Urgency accept(long nowNs, PacketView packet) {
        accepted++;
        return urgency;
    }

    @Override
    public boolean fill(long nowNs, StreamUpdate out) {
        Told told = news.poll();
        if (told == null) {
            return false;
        }
        out.streamId(told.streamId())
                .flags(StreamUpdate.OPEN)
                .code(0)
                .nextMsn(told.nextMsn())
                .rsnLimit(0);
        return true;
    }

    @Override
    public boolean hasNews() {
        return !news.isEmpty();
    }

    @Override
    public boolean describe(int streamId, StreamUpdate out) {
        out.streamId(streamId).flags(StreamUpdate.OPEN).code(0).nextMsn(0).rsnLimit(0);
        return true;
    }

    @Override
    public void onUpdate(long nowNs, StreamUpdate update, Freshness freshness) {
        heard.add(new Heard(update.streamId(), update.nextMsn(), freshness));
    }

    @Override
    public void onReportRead(long nowNs) {
        // nothing waits
    }

    @Override
    public void onNak(long nowNs, NakHeader nak, Freshness freshness) {
        heard.add(new Heard(nak.streamId(), nak.msn(), freshness));
    }

    @Override
    public void start(long nowNs) {}

    @Override
    public boolean hasWork() {
        return hasWork;
    }

    @Override
    public long queuedBytes() {
        return (long) packetsToSend * packetBytes;
    }

    @Override
    public void stopAccepting(long nowNs) {}
}
