package io.metaroce.compliance.adapter.model;

import io.metaroce.datagram.Address;
import io.metaroce.datagram.Datagram;
import io.metaroce.datagram.Transmit;
import io.metaroce.engine.TransmitPort;
import io.metaroce.memory.MemoryRegion;
import io.metaroce.memory.PlacementTap;
import io.metaroce.queue.CompletionSink;
import io.metaroce.queue.Rung;
import io.metaroce.queue.WcOpcode;
import io.metaroce.queue.WcStatus;
import io.metaroce.trace.Counter;
import io.metaroce.trace.Counters;
import io.metaroce.trace.DropReason;
import io.metaroce.trace.TransportEvents;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** Writes down what leaves the engine at its ports, in the order in which it leaves. */
final class Recorder implements TransmitPort, PlacementTap, CompletionSink, TransportEvents {
    private static final int ALL_PLANES = 0xFFFF;
    private static final int BASE_HEADER_BYTES = 16;
    private static final int VERSION_1 = 1;
    private static final Counter[] COUNTERS = Counter.values();
    private static final DropReason[] REASONS = DropReason.values();

    private final RecordLog log;
    private final ModelSetup setup;
    private final Counters counters;
    private final ModelMemory memory;
    private final QueuePairs pairs;
    private final CRC32C crc = new CRC32C();
    private final long[] counted = new long[COUNTERS.length + REASONS.length];
    private long nowNs;
    private int attachments;

    // Of the datagram that is being fed: where its record lies, or -1, and what its base header says.
    private int arriving = -1;
    private int conn;
    private int path;
    private int epoch;
    private int psn;
    private long duplicates;

    Recorder(RecordLog log, ModelSetup setup, Counters counters, ModelMemory memory, QueuePairs pairs) {
        this.log = log;
        this.setup = setup;
        this.counters = counters;
        this.memory = memory;
        this.pairs = pairs;
    }

    // ---- steps

    /** What comes from now on comes at this time. */
    void at(long timeNs) {
        nowNs = timeNs;
    }

    /** A deadline is due and about to run. */
    void fires(long dueNs) {
        int at = log.begin(nowNs, Kind.TIMER_FIRE);
        log.records().putLong(at + RecordLog.ARG0, dueNs);
    }

    /** A datagram is about to be fed; its record comes before what it brings about. */
    void arrives(Datagram datagram) {
        ByteBuffer bytes = datagram.buffer();
        arriving = log.begin(nowNs, Kind.RX_ACCEPT);
        log.records().putInt(arriving + RecordLog.LEN, datagram.length());
        boolean isPlain = datagram.length() >= BASE_HEADER_BYTES && (bytes.get(0) & 0xFF) >>> 4 == VERSION_1;
        conn = isPlain ? bytes.getInt(4) : 0;
        path = isPlain ? bytes.get(2) & 0xFF : 0;
        epoch = isPlain ? bytes.get(3) & 0xFF : 0;
        psn = isPlain ? bytes.getInt(8) : 0;
        header(arriving);
        log.records().putLong(arriving + RecordLog.ARG0, isPlain ? bytes.get(1) & 0xFF : 0);
        duplicates = counters.get(Counter.RX_DUPLICATES);
    }

    /** The datagram has been fed. */
    void hasArrived() {
        if (counters.get(Counter.RX_DUPLICATES) > duplicates) {
            log.records().putShort(arriving + RecordLog.FLAGS, (short) 1);
        }
        arriving = -1;
    }

    /** All that a datagram brought about is recorded. */
    void settled() {
        conn = 0;
        path = 0;
        epoch = 0;
        psn = 0;
        if (setup.counters()) {
            tellCounters();
        }
    }

    private void tellCounters() {
        for (int i = 0; i < counted.length; i++) {
            long value = i < COUNTERS.length ? counters.get(COUNTERS[i]) : counters.get(REASONS[i - COUNTERS.length]);
            if (value != counted[i]) {
                counted[i] = value;
                int at = log.begin(nowNs, Kind.COUNTER);
                log.records().putLong(at + RecordLog.ARG0, i).putLong(at + RecordLog.ARG1, value);
            }
        }
    }

    private void header(int at) {
        log.records()
                .put(at + RecordLog.PATH, (byte) path)
                .put(at + RecordLog.EPOCH, (byte) epoch)
                .putInt(at + RecordLog.CONN, conn)
                .putInt(at + RecordLog.PSN, psn);
    }

    // ---- packets

    @Override
    public int planesWithRoom() {
        return log.isFull() ? 0 : ALL_PLANES;
    }

    @Override
    public void send(Transmit packet) {
        int length = packet.length();
        int at = log.begin(nowNs, Kind.TX);
        int bytes = log.beginBytes(length);
        ByteBuffer blob = log.blob();
        packet.copyTo(blob, bytes);
        boolean isPlain = (blob.get(bytes) & 0xFF) >>> 4 == VERSION_1;
        Address to = packet.route().remote();
        int plane = packet.route().plane();
        long ends = (isPlain ? blob.get(bytes + 1) & 0xFFL : 0)
                | ((long) plane << 8)
                | ((long) setup.source(plane, packet.route().entropy()).port() << 16)
                | ((long) to.port() << 32)
                | ((to.family() == Address.IPV6 ? 1L : 0L) << 48);
        ByteBuffer records = log.records();
        records.putInt(at + RecordLog.LEN, length)
                .putLong(at + RecordLog.ARG0, ends)
                .putLong(at + RecordLog.OFF, to.high())
                .putLong(at + RecordLog.ARG1, to.low());
        if (isPlain) {
            records.putShort(at + RecordLog.FLAGS, (short) (blob.get(bytes) & 0xF))
                    .put(at + RecordLog.PATH, blob.get(bytes + 2))
                    .put(at + RecordLog.EPOCH, blob.get(bytes + 3))
                    .putInt(at + RecordLog.CONN, blob.getInt(bytes + 4))
                    .putInt(at + RecordLog.PSN, blob.getInt(bytes + 8));
        }
    }

    @Override
    public void flush() {}

    // ---- memory

    @Override
    public void placed(MemoryRegion region, long offset, int length, Right right) {
        int at = log.begin(nowNs, Kind.PLACE);
        ByteBuffer bytes = memory.bytes(region).slice((int) offset, length);
        crc.reset();
        crc.update(bytes.duplicate());
        header(at);
        log.records()
                .putInt(at + RecordLog.MR, region.key())
                .putLong(at + RecordLog.OFF, offset)
                .putInt(at + RecordLog.LEN, length)
                .putLong(at + RecordLog.ARG0, number(right))
                .putLong(at + RecordLog.ARG1, crc.getValue());
        if (setup.data()) {
            int to = log.beginBytes(length);
            log.blob().put(to, bytes, 0, length);
        }
    }

    private static int number(Right right) {
        return switch (right) {
            case LOCAL -> 0;
            case REMOTE -> 1;
            case ATOMIC -> 2;
        };
    }

    // ---- completions: there is always room, since whoever steps takes them

    @Override
    public int attach() {
        return attachments++;
    }

    @Override
    public void detach(int attachment) {}

    @Override
    public boolean reserve(int attachment) {
        return true;
    }

    @Override
    public void unreserve(int attachment) {}

    @Override
    public void completed(
            int attachment,
            int qpNumber,
            long wrId,
            WcStatus status,
            WcOpcode opcode,
            int length,
            int immediate,
            int flags) {
        int at = log.begin(nowNs, Kind.CQE);
        log.records()
                .putInt(at + RecordLog.CONN, pairs.connection(qpNumber))
                .putShort(at + RecordLog.STREAM, (short) pairs.stream(qpNumber))
                .put(at + RecordLog.REASON, (byte) status.value())
                .putInt(at + RecordLog.LEN, length)
                .putLong(at + RecordLog.OFF, wrId)
                .putShort(at + RecordLog.FLAGS, (short) flags)
                .putLong(at + RecordLog.ARG0, opcode.value())
                .putLong(at + RecordLog.ARG1, Integer.toUnsignedLong(immediate));
    }

    @Override
    public void awaitRoom(int attachment, Rung waiter) {}

    // ---- events

    private int happens(Happening what, int connectionId, int onPath) {
        int at = log.begin(nowNs, Kind.STATE);
        log.records()
                .putLong(at + RecordLog.ARG0, what.number())
                .putInt(at + RecordLog.CONN, connectionId)
                .put(at + RecordLog.PATH, (byte) onPath);
        return at;
    }

    @Override
    public void dropped(long atNs, DropReason reason) {
        if (arriving >= 0) {
            log.records()
                    .put(arriving + RecordLog.KIND, (byte) Kind.RX_DROP.number())
                    .put(arriving + RecordLog.REASON, (byte) Names.number(reason));
        }
    }

    void offered(int connectionId) {
        happens(Happening.OFFERED, connectionId, 0);
    }

    @Override
    public void established(long atNs, int connectionId) {
        happens(Happening.ESTABLISHED, connectionId, 0);
    }

    @Override
    public void closed(long atNs, int connectionId, int reason) {
        int at = happens(Happening.CLOSED, connectionId, 0);
        log.records().put(at + RecordLog.REASON, (byte) reason);
    }

    @Override
    public void pathState(long atNs, int connectionId, int onPath, int state) {
        int at = happens(Happening.PATH, connectionId, onPath);
        log.records().putLong(at + RecordLog.ARG1, state);
    }

    @Override
    public void pathRebound(long atNs, int connectionId, int onPath, int newEpoch, int entropy) {
        int at = happens(Happening.REBOUND, connectionId, onPath);
        log.records().put(at + RecordLog.EPOCH, (byte) newEpoch).putLong(at + RecordLog.ARG1, entropy);
    }

    @Override
    public void payloadChanged(long atNs, int connectionId, int payloadBytes) {
        int at = happens(Happening.PAYLOAD, connectionId, 0);
        log.records().putInt(at + RecordLog.LEN, payloadBytes);
    }

    @Override
    public void slotLost(long atNs, int connectionId, int onPath, int lostPsn) {
        int at = happens(Happening.SLOT_LOST, connectionId, onPath);
        log.records().putInt(at + RecordLog.PSN, lostPsn);
    }

    @Override
    public void timedOut(long atNs, int connectionId, int onPath) {
        happens(Happening.TIMED_OUT, connectionId, onPath);
    }

    @Override
    public void refused(long atNs, int connectionId, int stream, int msn) {
        int at = happens(Happening.REFUSED, connectionId, 0);
        log.records().putShort(at + RecordLog.STREAM, (short) stream).putInt(at + RecordLog.MSN, msn);
    }

    @Override
    public void hintChanged(long atNs, int connectionId, long bytesPerSecond) {
        int at = happens(Happening.HINT, connectionId, 0);
        log.records().putLong(at + RecordLog.ARG1, bytesPerSecond);
    }

    @Override
    public void streamFailed(long atNs, int connectionId, int stream, int code) {
        int at = happens(Happening.STREAM_FAILED, connectionId, 0);
        log.records().putShort(at + RecordLog.STREAM, (short) stream).put(at + RecordLog.REASON, (byte) code);
    }
}
