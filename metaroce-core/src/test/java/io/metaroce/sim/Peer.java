package io.metaroce.sim;

import io.metaroce.engine.ConnectionListener;
import io.metaroce.engine.ConnectionView;
import io.metaroce.engine.Offer;
import io.metaroce.engine.PathView;
import io.metaroce.engine.StreamBinding;
import io.metaroce.memory.Access;
import io.metaroce.memory.MemoryRegion;
import io.metaroce.num.SplitMix64;
import io.metaroce.param.CloseReason;
import io.metaroce.queue.CompletionCell;
import io.metaroce.queue.CompletionRing;
import io.metaroce.queue.ReceiveCell;
import io.metaroce.queue.ReceiveRing;
import io.metaroce.queue.SendCell;
import io.metaroce.queue.SendRing;
import io.metaroce.queue.Signalling;
import io.metaroce.queue.WcOpcode;
import io.metaroce.queue.WcStatus;
import io.metaroce.queue.WrOpcode;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One application for tests: a region, one queue pair on stream 0, everything it was told. */
final class Peer implements ConnectionListener {
    static final int SERVICE = 7;
    static final int DOMAIN = 1;
    static final int NONE = 0;

    final Host host;
    final ByteBuffer memory;
    final MemoryRegion region;
    final SendRing sends;
    final ReceiveRing receives;
    final List<Done> done = new ArrayList<>();
    final List<String> events = new ArrayList<>();
    private final CompletionRing completions;
    int connectionId = NONE;
    boolean isEstablished;
    boolean isClosed;
    @Nullable CloseReason closeReason;

    /** A completion as it was polled. */
    record Done(long wrId, WcStatus status, WcOpcode opcode, int length, int immediate, int flags) {}

    Peer(Host host, int memoryBytes, int depth) {
        this.host = host;
        memory = ByteBuffer.allocateDirect(memoryBytes);
        SplitMix64 stream = host.world().seeds().stream("test.memory", host.attachment().node());
        for (int i = 0; i + Long.BYTES <= memoryBytes; i += Long.BYTES) {
            memory.putLong(i, stream.nextLong());
        }
        region = host.endpoint().regions().register(DOMAIN, memory, 0x10_0000_0000L, Access.ALL);
        completions = new CompletionRing(2 * depth + 2, host.doorbells(), () -> {});
        int number = 100 + host.attachment().node();
        sends = new SendRing(
                depth, 4, 0, number, completions, completions.attach(), Signalling.ALL, host.doorbells());
        receives = new ReceiveRing(depth, 4, number, completions, completions.attach(), host.doorbells());
    }

    StreamBinding binding() {
        return new StreamBinding(0, DOMAIN, sends, receives);
    }

    void listens() {
        host.commands().offer((now, endpoint) -> endpoint.listen(SERVICE, this));
        host.doorbells().wake();
    }

    void connects(Peer to) {
        host.commands().offer((now, endpoint) -> connectionId = endpoint.connect(
                now, to.host.localAddress(), SERVICE, List.of(binding()), new byte[0], this));
        host.doorbells().wake();
    }

    void closes() {
        host.commands().offer((now, endpoint) -> endpoint.close(now, connectionId));
        host.doorbells().wake();
    }

    /** Posts a receive into {@code length} bytes at {@code offset} of its region. */
    void receive(long wrId, int offset, int length) {
        ReceiveCell cell = receives.acquire();
        if (cell == null) {
            throw new IllegalStateException("the receive queue is full");
        }
        cell.wrId(wrId);
        if (length > 0) {
            cell.addSge(region.key(), offset, length);
        }
        receives.post(cell);
        receives.ring();
    }

    /** Posts {@code length} bytes at {@code offset} of its region to {@code at} of the other's region. */
    void send(WrOpcode opcode, long wrId, int offset, int length, Peer to, int at) {
        SendCell cell = sends.acquire();
        if (cell == null) {
            throw new IllegalStateException("the send queue is full");
        }
        cell.wrId(wrId)
                .opcode(opcode)
                .rkey(to.region.key())
                .remoteAddress(to.region.base() + at)
                .immediate((int) wrId * 3);
        if (length > 0) {
            cell.addSge(region.key(), offset, length);
        }
        sends.post(cell);
        sends.ring();
    }

    /** Polls everything that is there. */
    List<Done> poll() {
        CompletionCell cell = completions.take();
        while (cell != null) {
            done.add(new Done(
                    cell.wrId(), cell.status(), cell.opcode(), cell.length(), cell.immediate(), cell.flags()));
            completions.release(cell);
            cell = completions.take();
        }
        return done;
    }

    ConnectionView view() {
        ConnectionView view = host.endpoint().view(connectionId);
        if (view == null) {
            throw new IllegalStateException(host + " has no connection " + connectionId);
        }
        return view;
    }

    /** What it looks like inside, for messages. */
    String state() {
        StringBuilder out = new StringBuilder();
        out.append(host).append(": ").append(done.size()).append(" done, events ").append(events);
        ConnectionView view = host.endpoint().view(connectionId);
        if (view != null) {
            out.append(", ").append(view.state()).append(", window ").append(view.windowBytes());
            out.append(", in flight ").append(view.inFlightBytes()).append('\n');
            for (PathView path : view.paths()) {
                out.append("    ").append(path).append('\n');
            }
        }
        return out.toString();
    }

    @Override
    public void offered(long nowNs, int id, Offer offer) {
        connectionId = id;
        events.add("offered");
        host.commands()
                .offer((now, endpoint) -> endpoint.accept(now, id, List.of(binding()), new byte[0]));
        host.doorbells().wake();
    }

    @Override
    public void established(long nowNs, int id, byte[] privateData) {
        events.add("established");
        isEstablished = true;
    }

    @Override
    public void closed(long nowNs, int id, CloseReason reason, String detail, byte[] privateData) {
        events.add("closed " + reason + " (" + detail + ")");
        isClosed = true;
        closeReason = reason;
    }

    @Override
    public void streamFailed(long nowNs, int id, int streamId, String detail) {
        events.add("stream " + streamId + " failed: " + detail);
    }
}
