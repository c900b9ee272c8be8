package io.metaroce.bench.micro;

import io.metaroce.datagram.Address;
import io.metaroce.datagram.Transmit;
import io.metaroce.engine.ConnectionListener;
import io.metaroce.engine.Endpoint;
import io.metaroce.engine.Offer;
import io.metaroce.engine.StreamBinding;
import io.metaroce.memory.Access;
import io.metaroce.memory.MemoryRegion;
import io.metaroce.num.Entropy;
import io.metaroce.param.CloseReason;
import io.metaroce.param.EndpointConfig;
import io.metaroce.param.FirstNumbers;
import io.metaroce.queue.CommandQueue;
import io.metaroce.queue.CompletionCell;
import io.metaroce.queue.CompletionRing;
import io.metaroce.queue.DoorbellQueue;
import io.metaroce.queue.ReceiveCell;
import io.metaroce.queue.ReceiveRing;
import io.metaroce.queue.SendCell;
import io.metaroce.queue.SendFlags;
import io.metaroce.queue.SendRing;
import io.metaroce.queue.Signalling;
import io.metaroce.queue.WcStatus;
import io.metaroce.queue.WrOpcode;
import io.metaroce.trace.Counters;
import io.metaroce.trace.TransportEvents;
import io.metaroce.wire.Trailer;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * One engine of a {@link Loop}: an endpoint with one queue pair and one region, guarded by bytes on both sides of it
 * that nobody may touch.
 */
public final class LoopSide implements ConnectionListener {
    /** Bytes before and behind the region. */
    public static final int GUARD_BYTES = 4096;

    private static final byte GUARD = 0x5A;
    private static final int DOMAIN = 1;
    private static final int QP_NUMBER = 7;
    private static final int PLANES = 1;

    private final Endpoint endpoint;
    private final Counters counters = new Counters();
    private final CompletionRing completions;
    private final SendRing sends;
    private final ReceiveRing receives;
    private final ByteBuffer memory;
    private final MemoryRegion region;
    private final Transmit transmit = new Transmit();
    private int connection = -1;
    private long failures;
    private boolean established;
    private String closed = "";

    LoopSide(
            EndpointConfig config,
            Address address,
            Entropy entropy,
            int depth,
            int regionBytes,
            Trailer trailer,
            TransportEvents events) {
        DoorbellQueue doorbells = new DoorbellQueue(8);
        endpoint = new Endpoint(
                config,
                List.of(address),
                entropy,
                counters,
                events,
                new CommandQueue<>(),
                doorbells,
                FirstNumbers.USUAL,
                trailer);
        completions = new CompletionRing(2 * depth + 2, doorbells, () -> {});
        int attachment = completions.attach();
        sends = new SendRing(depth, 1, 0, QP_NUMBER, completions, attachment, Signalling.FLAGGED, doorbells);
        receives = new ReceiveRing(depth, 1, QP_NUMBER, completions, completions.attach(), doorbells);
        memory = ByteBuffer.allocateDirect(regionBytes + 2 * GUARD_BYTES);
        for (int i = 0; i < memory.capacity(); i++) {
            memory.put(i, GUARD);
        }
        region = endpoint.regions().register(DOMAIN, memory.slice(GUARD_BYTES, regionBytes), 0x10_0000, Access.ALL);
    }

    /** The engine. */
    public Endpoint endpoint() {
        return endpoint;
    }

    /** What it counts. */
    public Counters counters() {
        return counters;
    }

    /** The registered memory with its guards; the region begins at {@link #GUARD_BYTES}. */
    public ByteBuffer memory() {
        return memory;
    }

    /** The region. */
    public MemoryRegion region() {
        return region;
    }

    /** The send queue. */
    public SendRing sends() {
        return sends;
    }

    /** Whether the connection stands. */
    public boolean isEstablished() {
        return established && closed.isEmpty();
    }

    /** Why the connection ended, or empty. */
    public String closed() {
        return closed;
    }

    /** Requests that did not succeed. */
    public long failures() {
        return failures;
    }

    /** Local number of the connection. */
    public int connection() {
        return connection;
    }

    /** Whether no byte outside the region was touched. */
    public boolean areGuardsIntact() {
        int end = memory.capacity();
        for (int i = 0; i < GUARD_BYTES; i++) {
            if (memory.get(i) != GUARD || memory.get(end - 1 - i) != GUARD) {
                return false;
            }
        }
        return true;
    }

    void listen(int service) {
        endpoint.listen(service, this);
    }

    void connect(long nowNs, LoopSide peer, Address address, int service) {
        assert peer != this : "an engine has no connection to itself";
        connection = endpoint.connect(nowNs, address, service, streams(), new byte[0], this);
    }

    /** Posts one request for the whole or part of the region; false when the queue is full. */
    public boolean post(WrOpcode opcode, LoopSide peer, long offset, int length) {
        SendCell cell = sends.acquire();
        if (cell == null) {
            return false;
        }
        cell.wrId(offset)
                .opcode(opcode)
                .flags(SendFlags.SIGNALED)
                .rkey(peer.region.key())
                .remoteAddress(peer.region.base() + offset)
                .addSge(region.key(), offset, length);
        sends.post(cell);
        sends.ring();
        return true;
    }

    /** Posts one receive; false when the queue is full. */
    public boolean postReceive(long offset, int length) {
        ReceiveCell cell = receives.acquire();
        if (cell == null) {
            return false;
        }
        cell.wrId(offset).addSge(region.key(), offset, length);
        receives.post(cell);
        receives.ring();
        return true;
    }

    /** Takes completions off the queue; returns how many there were. */
    public int drain() {
        int n = 0;
        for (CompletionCell cell = completions.take(); cell != null; cell = completions.take()) {
            if (cell.status() != WcStatus.SUCCESS) {
                failures++;
            }
            completions.release(cell);
            n++;
        }
        return n;
    }

    /** Writes the next packet to {@code tray}; false when nothing may be sent now. */
    public boolean poll(long nowNs, Tray tray) {
        if (!endpoint.pollTransmit(nowNs, PLANES, transmit)) {
            return false;
        }
        tray.add(transmit);
        return true;
    }

    /** Feeds packets {@code from} to {@code to - 1} of a tray. */
    public void feed(long nowNs, Tray tray, int from, int to) {
        for (int i = from; i < to; i++) {
            endpoint.onDatagram(nowNs, tray.at(i));
        }
    }

    /** Does what is due. */
    public void tick(long nowNs) {
        if (nowNs >= endpoint.deadlineNs()) {
            endpoint.onDeadline(nowNs);
        }
        endpoint.onDoorbell(nowNs);
    }

    private List<StreamBinding> streams() {
        return List.of(new StreamBinding(0, DOMAIN, sends, receives));
    }

    @Override
    public void offered(long nowNs, int connectionId, Offer offer) {
        connection = connectionId;
        endpoint.accept(nowNs, connectionId, streams(), new byte[0]);
    }

    @Override
    public void established(long nowNs, int connectionId, byte[] privateData) {
        established = true;
    }

    @Override
    public void closed(long nowNs, int connectionId, CloseReason reason, String detail, byte[] privateData) {
        closed = reason + ": " + detail;
    }
}
