package io.metaroce.message;

import io.metaroce.connection.ConnectionPort;
import io.metaroce.datagram.Datagram;
import io.metaroce.datagram.Ecn;
import io.metaroce.datagram.Transmit;
import io.metaroce.memory.Access;
import io.metaroce.memory.MemoryRegion;
import io.metaroce.memory.PayloadWindow;
import io.metaroce.memory.RegionPlacement;
import io.metaroce.memory.RegionTable;
import io.metaroce.param.FirstNumbers;
import io.metaroce.param.StreamError;
import io.metaroce.queue.CompletionCell;
import io.metaroce.queue.CompletionRing;
import io.metaroce.queue.DoorbellQueue;
import io.metaroce.queue.ReceiveCell;
import io.metaroce.queue.ReceiveRing;
import io.metaroce.queue.SendCell;
import io.metaroce.queue.SendFlags;
import io.metaroce.queue.SendRing;
import io.metaroce.queue.SharedReceiveRing;
import io.metaroce.queue.Signalling;
import io.metaroce.queue.WcOpcode;
import io.metaroce.queue.WcStatus;
import io.metaroce.trace.Counters;
import io.metaroce.trace.TransportEvents;
import io.metaroce.wire.BaseHeader;
import io.metaroce.wire.PacketView;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** One end of a {@link Pair}: a stream table with memory, rings and a connection that only takes notes. */
final class Side implements ConnectionPort, ConnectionPort.Reads {
    static final int DOMAIN = 7;
    static final int SLOTS = 4096;
    static final int READS = 16;
    static final long RESPONSE_NS = 10_000_000_000L;
    static final int HINT = 0x4FA1;

    /** A completion, copied. */
    record Wc(int qp, long wrId, WcStatus status, WcOpcode opcode, int length, int immediate, int flags) {}

    /** What a side is made with. */
    record Shape(int streams, int depth, int cqDepth, int payloadBytes, RnrPolicy rnr, int openMessages, int first) {
        static final Shape PLAIN = new Shape(8, 64, 4096, 1024, RnrPolicy.WAIT, 256, 0);

        Shape depth(int value) {
            return new Shape(streams, value, cqDepth, payloadBytes, rnr, openMessages, first);
        }

        Shape cqDepth(int value) {
            return new Shape(streams, depth, value, payloadBytes, rnr, openMessages, first);
        }

        Shape rnr(RnrPolicy value) {
            return new Shape(streams, depth, cqDepth, payloadBytes, value, openMessages, first);
        }

        Shape openMessages(int value) {
            return new Shape(streams, depth, cqDepth, payloadBytes, rnr, value, first);
        }

        Shape first(int value) {
            return new Shape(streams, depth, cqDepth, payloadBytes, rnr, openMessages, value);
        }
    }

    /** A packet that has left and is not acknowledged. */
    static final class Sent {
        final int slot;
        ByteBuffer bytes;
        boolean isAccepted;

        Sent(int slot, ByteBuffer bytes) {
            this.slot = slot;
            this.bytes = bytes;
        }
    }

    final Shape shape;
    final RegionTable regions = new RegionTable(64);
    final SentFragments fragments = new SentFragments(SLOTS);
    final DoorbellQueue doorbells = new DoorbellQueue(64);
    final CompletionRing cq;
    final Counters counters = new Counters();
    final StreamTable table;
    final SendRing[] sends;
    final ReceiveRing[] receives;
    final List<Sent> flight = new ArrayList<>();
    final List<Refusal> refusals = new ArrayList<>();
    final List<Integer> questions = new ArrayList<>();
    final List<StreamError> protocolErrors = new ArrayList<>();
    final List<Wc> completions = new ArrayList<>();
    final List<Integer> failedStreams = new ArrayList<>();
    boolean isReportWanted;
    int sendsWanted;
    int refusalsInAll;
    long readBytesOutstanding;
    int hint = HINT;
    int lastReport;
    private final List<Integer> freeSlots = new ArrayList<>();
    private final Transmit transmit = new Transmit();
    private int nextPsn;

    Side(Shape shape) {
        this.shape = shape;
        cq = new CompletionRing(shape.cqDepth(), doorbells, () -> {});
        FirstNumbers first = FirstNumbers.ofStreams(shape.first());
        table = new StreamTable(
                new Workshop(
                        new RegionPlacement(regions),
                        new PayloadWindow(regions, shape.payloadBytes()),
                        fragments,
                        RESPONSE_NS,
                        counters),
                new StreamLimits(shape.streams(), shape.openMessages(), 1L << 31, READS, shape.rnr()),
                shape.payloadBytes(),
                this,
                new TransportEvents() {
                    @Override
                    public void streamFailed(long nowNs, int connectionId, int stream, int code) {
                        failedStreams.add(stream);
                    }
                },
                first);
        sends = new SendRing[shape.streams()];
        receives = new ReceiveRing[shape.streams()];
        for (int i = 0; i < SLOTS; i++) {
            freeSlots.add(i);
        }
    }

    // ---------------------------------------------------------------- the application

    void open(long nowNs, int id) {
        makeRings(id, Signalling.FLAGGED);
        table.open(nowNs, id, DOMAIN, sends[id], receives[id]);
    }

    /** Opens a stream whose receives are shared. */
    void openShared(long nowNs, int id, SharedReceiveRing shared) {
        makeRings(id, Signalling.FLAGGED);
        ReceiveRing ring = new ReceiveRing(shared, 100 + id, cq, cq.attach());
        table.open(nowNs, id, DOMAIN, sends[id], ring);
    }

    void makeRings(int id, Signalling signalling) {
        sends[id] = new SendRing(shape.depth(), 4, 64, id, cq, cq.attach(), signalling, doorbells);
        receives[id] = new ReceiveRing(shape.depth(), 4, 100 + id, cq, cq.attach(), doorbells);
    }

    MemoryRegion memory(int bytes) {
        return regions.register(DOMAIN, new ByteBuffer[] {ByteBuffer.allocateDirect(bytes)}, 0x10_0000, Access.ALL);
    }

    MemoryRegion memory(ByteBuffer buffer) {
        return regions.register(DOMAIN, new ByteBuffer[] {buffer}, 0x10_0000, Access.ALL);
    }

    boolean post(int id, Consumer<SendCell> what) {
        SendCell cell = sends[id].acquire();
        if (cell == null) {
            return false;
        }
        cell.flags(SendFlags.SIGNALED);
        what.accept(cell);
        sends[id].post(cell);
        sends[id].ring();
        return true;
    }

    boolean postReceive(int id, Consumer<ReceiveCell> what) {
        ReceiveCell cell = receives[id].acquire();
        if (cell == null) {
            return false;
        }
        what.accept(cell);
        receives[id].post(cell);
        receives[id].ring();
        return true;
    }

    /** Takes completions that are there, at most {@code max}; appends them to {@link #completions}. */
    int poll(int max) {
        int n = 0;
        while (n < max) {
            CompletionCell cell = cq.take();
            if (cell == null) {
                break;
            }
            completions.add(new Wc(
                    cell.qpNumber(),
                    cell.wrId(),
                    cell.status(),
                    cell.opcode(),
                    cell.length(),
                    cell.immediate(),
                    cell.flags()));
            cq.release(cell);
            n++;
        }
        return n;
    }

    List<Wc> completionsOf(int qp) {
        return completions.stream().filter(wc -> wc.qp() == qp).toList();
    }

    List<Long> wrIds(int qp) {
        return completions.stream().filter(wc -> wc.qp() == qp).map(Wc::wrId).toList();
    }

    List<WcStatus> statuses(int qp) {
        return completions.stream().filter(wc -> wc.qp() == qp).map(Wc::status).toList();
    }

    // ---------------------------------------------------------------- the network

    /** Lets up to {@code max} packets leave into {@link #flight}. */
    int send(long nowNs, int max) {
        int n = 0;
        for (int length = table.source().peekLength(nowNs);
                length > 0 && n < max && !freeSlots.isEmpty();
                length = table.source().peekLength(nowNs)) {
            int slot = freeSlots.remove(freeSlots.size() - 1);
            transmit.reset();
            table.source().fill(nowNs, slot, transmit);
            if (transmit.length() != length) {
                throw new AssertionError("announced " + length + ", wrote " + transmit.length());
            }
            flight.add(new Sent(slot, copy()));
            n++;
        }
        return n;
    }

    /** The packet got lost: it is written once more. Returns false when its message was settled meanwhile. */
    boolean resend(long nowNs, Sent sent) {
        transmit.reset();
        if (!table.source().refill(nowNs, sent.slot, transmit)) {
            return false;
        }
        sent.bytes = copy();
        return true;
    }

    /** The sender hears that the packet was accepted. */
    void acked(long nowNs, Sent sent) {
        flight.remove(sent);
        table.source().acked(nowNs, sent.slot);
        table.updateSink().onReportRead(nowNs);
        freeSlots.add(sent.slot);
    }

    private ByteBuffer copy() {
        ByteBuffer bytes = ByteBuffer.allocateDirect(transmit.length());
        transmit.copyTo(bytes, 0);
        new BaseHeader()
                .wrap(bytes, 0)
                .version(BaseHeader.VERSION_1)
                .flags(0)
                .pathId(3)
                .psn(nextPsn++);
        return bytes;
    }

    /** A view on a packet, checked as the connection would. */
    static PacketView view(ByteBuffer bytes) {
        PacketView view = new PacketView();
        Datagram datagram = new Datagram().set(bytes, 0, bytes.capacity(), 0, Ecn.ECT_0, () -> {
            throw new AssertionError("nobody is answered");
        });
        if (view.open(datagram) != null || view.parse() != null) {
            throw new AssertionError("malformed packet");
        }
        return view;
    }

    // ---------------------------------------------------------------- ConnectionPort

    @Override
    public void sendWanted() {
        sendsWanted++;
    }

    @Override
    public void reportWanted() {
        isReportWanted = true;
    }

    @Override
    public void queryStream(long nowNs, int streamId) {
        questions.add(streamId);
    }

    @Override
    public void refuse(long nowNs, Refusal refusal) {
        refusals.add(refusal);
        refusalsInAll++;
    }

    @Override
    public void protocolError(long nowNs, StreamError error) {
        protocolErrors.add(error);
    }

    @Override
    public Reads reads() {
        return this;
    }

    @Override
    public void outstanding(long nowNs, long bytes) {
        readBytesOutstanding = bytes;
    }

    @Override
    public int hint(long nowNs) {
        return hint;
    }

    @Override
    public int lastReport() {
        return lastReport;
    }

    @Override
    public long probeTimeoutNs() {
        return 1000;
    }
}
