package io.metaroce.connection;

import io.metaroce.engine.PathView;
import io.metaroce.num.Minifloat;
import io.metaroce.param.EndpointConfig;
import io.metaroce.param.Profiles;
import io.metaroce.queue.WrOpcode;
import io.metaroce.sim.App;
import io.metaroce.sim.App.Range;
import io.metaroce.sim.App.Remote;
import io.metaroce.sim.Script;
import io.metaroce.sim.Script.Sent;
import io.metaroce.sim.ScriptPeer;
import io.metaroce.wire.BaseHeader;
import io.metaroce.wire.Opcode;
import io.metaroce.wire.ProbeHeader;
import io.metaroce.wire.Tlv;
import io.metaroce.wire.model.Bytes;
import io.metaroce.wire.model.Packet;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** An endpoint that writes over a few warm paths, and a peer that is told what has come on which of them. */
final class PathScript {
    static final long RTT_NS = 10_000;
    static final int HINT = Minifloat.encodeHint(40_000_000_000L);
    static final int SMALL_HINT = Minifloat.encodeHint(500_000_000L);
    private static final int MESSAGE_BYTES = 4096;

    final Script script;
    final App app;
    final ScriptPeer peer;
    private final int[] delivered; // slots of each path that the peer has acknowledged
    private int posted;

    PathScript(int paths) {
        this(paths, 1);
    }

    PathScript(int paths, int planes) {
        EndpointConfig config = Profiles.model();
        script = new Script(config.withPath(config.path().withPaths(paths)), 3, planes);
        app = script.app(0, 1 << 20, 512);
        peer = script.connect(app);
        delivered = new int[paths];
        script.after(100_000);
        for (int i = 0; i < 12; i++) {
            post(2 * paths);
            script.after(RTT_NS);
            for (int p = 0; p < paths; p++) {
                deliver(p, HINT);
            }
        }
        script.after(10 * RTT_NS).forget();
    }

    void post(int messages) {
        for (int i = 0; i < messages; i++) {
            app.post(posted++, WrOpcode.RDMA_WRITE, new Range(0, MESSAGE_BYTES), new Remote(1, 0, 0));
        }
        script.go();
    }

    /** Everything that was ever sent has arrived, and all of it is complete. */
    void complete() {
        script.deliver(peer.ack(HINT, List.of(ScriptPeer.update(0, posted, 0))));
    }

    int posted() {
        return posted;
    }

    /** Everything sent on a path so far has arrived. */
    void deliver(int path, int hint) {
        delivered[path] = slotsOf(path);
        answer(path, hint);
    }

    /** The newest stamp of a path is echoed, and no further slot is acknowledged. */
    void answer(int path, int hint) {
        answer(path, hint, latestStampOf(path, path(path).epoch()), path(path).epoch());
    }

    void answer(int path, int hint, int stamp, int epoch) {
        script.deliver(peer.ack(
                hint,
                List.of(),
                peer.block(path).cum(delivered[path]).echoStamp(stamp, epoch).ackDelay(0xFFFF)));
    }

    int delivered(int path) {
        return delivered[path];
    }

    PathView path(int i) {
        return paths().get(i);
    }

    List<PathView> paths() {
        return Objects.requireNonNull(script.endpoint().view(peer.connectionId()))
                .paths();
    }

    /** New slots of a path so far. */
    int slotsOf(int path) {
        int count = 0;
        for (Sent sent : sentOn(path)) {
            count += (sent.packet().header().flags() & BaseHeader.R) == 0 ? 1 : 0;
        }
        return count;
    }

    /** Slot packets of a path, resends too, in order. */
    List<Sent> sentOn(int path) {
        List<Sent> found = new ArrayList<>();
        for (Sent sent : script.history()) {
            if (Opcode.isSlot(sent.packet().opcode()) && sent.packet().header().pathId() == path) {
                found.add(sent);
            }
        }
        return found;
    }

    /** The same of one epoch. */
    List<Sent> sentOn(int path, int epoch) {
        List<Sent> found = new ArrayList<>(sentOn(path));
        found.removeIf(sent -> sent.packet().header().pathEpoch() != epoch);
        return found;
    }

    /** The newest stamp of a path in an epoch, of a slot or an in-path probe. */
    int latestStampOf(int path, int epoch) {
        int latest = 0;
        for (Sent sent : script.history()) {
            Packet.Header header = sent.packet().header();
            boolean isProbe =
                    sent.packet() instanceof Packet.Probe probe && (probe.probeFlags() & ProbeHeader.IN_PATH) != 0;
            boolean isOrdered = isProbe || Opcode.isSlot(sent.packet().opcode());
            latest = isOrdered && header.pathId() == path && header.pathEpoch() == epoch ? header.txStamp() : latest;
        }
        return latest;
    }

    /** Challenges so far of routes that no path has. */
    List<Sent> challenges() {
        List<Sent> found = new ArrayList<>();
        for (Sent sent : script.history()) {
            if (sent.packet() instanceof Packet.Probe probe
                    && (probe.probeFlags() & ProbeHeader.CHALLENGE) != 0
                    && !isTaken(sent.route().entropy())) {
                found.add(sent);
            }
        }
        return found;
    }

    private boolean isTaken(int entropy) {
        for (int i = 0; i < delivered.length; i++) {
            if (path(i).entropy() == entropy) {
                return true;
            }
        }
        return false;
    }

    /** The peer echoes a challenge. */
    void echo(Sent challenge) {
        long value = ((Packet.Probe) challenge.packet()).challenge();
        ByteBuffer bytes = ByteBuffer.allocate(10).putLong(2, value);
        Packet.Header plain = peer.reportHeader();
        Packet.Header header = new Packet.Header(BaseHeader.X, 0, 0, plain.dstConnId(), plain.psn(), plain.txStamp());
        List<Packet.Option> option = List.of(new Packet.Option(Tlv.PROBE_ECHO, Bytes.of(bytes.array())));
        script.deliver(peer.craft(new Packet.Ack(header, HINT, 0xFFFF, 0, 0, List.of(), List.of(), option)));
    }
}
