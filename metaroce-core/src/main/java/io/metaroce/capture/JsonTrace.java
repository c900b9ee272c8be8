package io.metaroce.capture;

import io.metaroce.datagram.Address;
import io.metaroce.datagram.Datagram;
import io.metaroce.datagram.Ecn;
import io.metaroce.datagram.Transmit;
import io.metaroce.engine.ConnectionView;
import io.metaroce.engine.Endpoint;
import io.metaroce.engine.EndpointHost;
import io.metaroce.engine.PacketTap;
import io.metaroce.engine.PathView;
import io.metaroce.trace.DropReason;
import io.metaroce.trace.TransportEvents;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Writes what an endpoint does as lines of JSON, in the manner of qlog: each packet, each event, and now and then the
 * state of every path. The schema is {@code docs/schemas/trace.schema.json}. Nothing of the payload is written.
 *
 * <p>It is two listeners in one: a tap of the packets ({@link EndpointHost#tap}), and, where the endpoint was made with
 * it, of the events of the engine. Without those the trace has packets and states only.
 */
public final class JsonTrace implements PacketTap, TransportEvents {
    /** Name of the format. */
    public static final String SCHEMA = "metaroce-trace@1";
    /** Time between two samples of the states of paths, in ns, unless said otherwise: 1 ms. */
    public static final long SAMPLE_NS = 1_000_000;

    private static final Address NOWHERE = Address.ipv4(0, 1);

    private final Appendable out;
    private final long sampleNs;
    private final JsonLine line = new JsonLine();
    private final PacketWords words = new PacketWords(line);
    private final ByteBuffer scratch = ByteBuffer.allocate(1 << 16);
    private final Datagram leaving = new Datagram();
    private long sampledNs = Long.MIN_VALUE / 2;

    /**
     * A trace that is appended to {@code out}, which is the caller's to close.
     *
     * @param sampleNs time between two samples of the states of paths, in ns
     */
    public JsonTrace(Appendable out, long sampleNs) {
        this.out = out;
        this.sampleNs = sampleNs;
    }

    /** Writes the first line: whose trace this is. Once, before the endpoint is given this tap. */
    public JsonTrace begin(EndpointHost host) {
        line.begin(0, "trace_start")
                .put("schema", SCHEMA)
                .put("epoch_ns", host.epochNs())
                .put("local", host.localAddress().toString());
        write();
        return this;
    }

    @Override
    public void sent(long nowNs, Transmit packet) {
        packet.copyTo(scratch, 0);
        leaving.set(scratch, 0, packet.length(), packet.route().plane(), Ecn.ECT_0, () -> NOWHERE);
        line.begin(nowNs, "packet_sent")
                .put("plane", packet.route().plane())
                .put("entropy", packet.route().entropy());
        words.write(leaving);
        write();
    }

    @Override
    public void received(long nowNs, Datagram datagram) {
        line.begin(nowNs, "packet_received").put("plane", datagram.plane());
        words.write(datagram);
        write();
    }

    @Override
    public void settled(long nowNs, Endpoint endpoint) {
        if (nowNs - sampledNs < sampleNs) {
            return;
        }
        sampledNs = nowNs;
        List<Integer> ids = endpoint.connectionIds();
        for (int i = 0; i < ids.size(); i++) {
            ConnectionView view = endpoint.view(ids.get(i));
            if (view != null && !view.paths().isEmpty()) {
                sample(nowNs, view);
            }
        }
    }

    private void sample(long nowNs, ConnectionView view) {
        line.begin(nowNs, "connection_state")
                .id("connection", view.id())
                .id("peer", view.peerId())
                .put("state", view.state())
                .put("window_bytes", view.windowBytes())
                .put("in_flight_bytes", view.inFlightBytes())
                .put("hint_bytes_per_s", view.hintBytesPerSecond())
                .put("paced_bytes_per_s", view.pacedBytesPerSecond())
                .put("payload_bytes", view.payloadBytes());
        write();
        for (PathView path : view.paths()) {
            line.begin(nowNs, "path_state")
                    .id("connection", view.id())
                    .put("path", path.id())
                    .put("state", path.state())
                    .put("plane", path.plane())
                    .put("entropy", path.entropy())
                    .put("epoch", path.epoch())
                    .put("rtt_ns", path.srttNs())
                    .put("base_rtt_ns", path.baseRttNs())
                    .put("window_bytes", path.windowBytes())
                    .put("in_flight_bytes", path.inFlightBytes())
                    .put("sent", path.sentPackets())
                    .put("resent", path.resentPackets())
                    .put("lost", path.lostPackets())
                    .put("marks", path.marks())
                    .put("duplicates", path.duplicates());
            write();
        }
    }

    @Override
    public void slotLost(long nowNs, int connectionId, int path, int psn) {
        ofPath(nowNs, "slot_lost", connectionId, path).number32("psn", psn);
        write();
    }

    @Override
    public void timedOut(long nowNs, int connectionId, int path) {
        ofPath(nowNs, "path_timed_out", connectionId, path);
        write();
    }

    @Override
    public void refused(long nowNs, int connectionId, int stream, int msn) {
        line.begin(nowNs, "message_refused")
                .id("connection", connectionId)
                .put("stream", stream)
                .number32("msn", msn);
        write();
    }

    @Override
    public void pathState(long nowNs, int connectionId, int path, int state) {
        ofPath(nowNs, "path_changed", connectionId, path).put("state", state);
        write();
    }

    @Override
    public void pathRebound(long nowNs, int connectionId, int path, int epoch, int entropy) {
        ofPath(nowNs, "path_rebound", connectionId, path).put("epoch", epoch).put("entropy", entropy);
        write();
    }

    @Override
    public void payloadChanged(long nowNs, int connectionId, int payloadBytes) {
        line.begin(nowNs, "payload_changed").id("connection", connectionId).put("payload_bytes", payloadBytes);
        write();
    }

    @Override
    public void hintChanged(long nowNs, int connectionId, long bytesPerSecond) {
        line.begin(nowNs, "hint_changed").id("connection", connectionId).put("hint_bytes_per_s", bytesPerSecond);
        write();
    }

    @Override
    public void dropped(long nowNs, DropReason reason) {
        line.begin(nowNs, "packet_dropped").put("reason", reason.label());
        write();
    }

    @Override
    public void streamFailed(long nowNs, int connectionId, int stream, int code) {
        line.begin(nowNs, "stream_failed")
                .id("connection", connectionId)
                .put("stream", stream)
                .put("code", code);
        write();
    }

    @Override
    public void established(long nowNs, int connectionId) {
        line.begin(nowNs, "connection_established").id("connection", connectionId);
        write();
    }

    @Override
    public void closed(long nowNs, int connectionId, int reason) {
        line.begin(nowNs, "connection_closed").id("connection", connectionId).put("reason", reason);
        write();
    }

    private JsonLine ofPath(long nowNs, String name, int connectionId, int path) {
        return line.begin(nowNs, name).id("connection", connectionId).put("path", path);
    }

    private void write() {
        try {
            out.append(line.end());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
