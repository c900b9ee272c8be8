package io.metaroce.bench.micro;

import io.metaroce.datagram.Address;
import io.metaroce.datagram.Transmit;
import io.metaroce.engine.Endpoint;
import io.metaroce.engine.StreamBinding;
import io.metaroce.memory.Access;
import io.metaroce.memory.MemoryRegion;
import io.metaroce.num.SplitMix64;
import io.metaroce.param.EndpointConfig;
import io.metaroce.queue.CommandQueue;
import io.metaroce.queue.CompletionCell;
import io.metaroce.queue.CompletionRing;
import io.metaroce.queue.DoorbellQueue;
import io.metaroce.queue.ReceiveRing;
import io.metaroce.queue.SendCell;
import io.metaroce.queue.SendFlags;
import io.metaroce.queue.SendRing;
import io.metaroce.queue.Signalling;
import io.metaroce.queue.WcStatus;
import io.metaroce.queue.WrOpcode;
import io.metaroce.trace.Counters;
import io.metaroce.trace.TransportEvents;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * An engine with queue pairs and one region that all of them write from and into, and no connection: which pair belongs
 * to which connection or stream is up to its owner. Time is what it is told.
 */
public final class BareSide {
    private static final int DOMAIN = 1;
    private static final long REGION_BASE = 0x10_0000;

    private final Endpoint endpoint;
    private final CompletionRing completions;
    private final SendRing[] sends;
    private final ReceiveRing[] receives;
    private final MemoryRegion region;
    private final int bytes;
    private final Transmit transmit = new Transmit();
    private long posted;

    /**
     * An engine.
     *
     * @param queuePairs how many
     * @param depth writes outstanding on each
     * @param bytes of the region, and of each write
     */
    public BareSide(EndpointConfig config, Address address, SplitMix64 entropy, int queuePairs, int depth, int bytes) {
        this.bytes = bytes;
        DoorbellQueue doorbells = new DoorbellQueue(2 * queuePairs + 1);
        endpoint = new Endpoint(
                config,
                List.of(address),
                entropy,
                new Counters(),
                TransportEvents.NONE,
                new CommandQueue<>(),
                doorbells);
        completions = new CompletionRing(queuePairs * (depth + 1) + 2, doorbells, () -> {});
        sends = new SendRing[queuePairs];
        receives = new ReceiveRing[queuePairs];
        for (int i = 0; i < queuePairs; i++) {
            int attachment = completions.attach();
            sends[i] = new SendRing(depth, 1, 0, i, completions, attachment, Signalling.FLAGGED, doorbells);
            receives[i] = new ReceiveRing(1, 1, i, completions, attachment, doorbells);
        }
        region = endpoint.regions().register(DOMAIN, ByteBuffer.allocateDirect(bytes), REGION_BASE, Access.ALL);
    }

    /** The engine. */
    public Endpoint endpoint() {
        return endpoint;
    }

    /** Queue pair {@code i} as stream {@code stream} of a connection. */
    public StreamBinding binding(int stream, int i) {
        return new StreamBinding(stream, DOMAIN, sends[i], receives[i]);
    }

    /** Posts a write of all bytes to another engine on queue pair {@code i}. */
    public void post(int i, BareSide to) {
        SendCell cell = sends[i].acquire();
        if (cell == null) {
            throw new IllegalStateException("send queue " + i + " is full");
        }
        cell.wrId(posted++)
                .opcode(WrOpcode.RDMA_WRITE)
                .flags(SendFlags.SIGNALED)
                .rkey(to.region.key())
                .remoteAddress(to.region.base())
                .addSge(region.key(), 0, bytes);
        sends[i].post(cell);
        sends[i].ring();
    }

    /** Writes posted so far. */
    public long posted() {
        return posted;
    }

    /** Takes completions; returns how many there were. */
    public int takeCompletions() {
        int n = 0;
        for (CompletionCell cell = completions.take(); cell != null; cell = completions.take()) {
            if (cell.status() != WcStatus.SUCCESS) {
                throw new IllegalStateException("a write ended with " + cell.status());
            }
            completions.release(cell);
            n++;
        }
        return n;
    }

    /** Does what is due. */
    public void tick(long nowNs) {
        if (nowNs >= endpoint.deadlineNs()) {
            endpoint.onDeadline(nowNs);
        }
        endpoint.onDoorbell(nowNs);
    }

    /** Puts one packet on the tray, if there is one and room for it; returns whether it did. */
    public boolean poll(long nowNs, Tray tray) {
        if (!tray.hasRoom() || !endpoint.pollTransmit(nowNs, 1, transmit)) {
            return false;
        }
        tray.add(transmit);
        return true;
    }

    /** Takes all packets of the tray. */
    public void feed(long nowNs, Tray tray) {
        for (int i = 0; i < tray.count(); i++) {
            endpoint.onDatagram(nowNs, tray.at(i));
        }
        tray.clear();
    }
}
