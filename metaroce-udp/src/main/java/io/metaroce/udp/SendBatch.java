package io.metaroce.udp;

import io.metaroce.datagram.Route;
import io.metaroce.datagram.TrafficClass;
import io.metaroce.datagram.Transmit;
import io.metaroce.engine.TransmitPort;
import io.metaroce.udp.OutboundSocket.Run;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Collects the packets of a pass and sends them at its end. Packets are copied back to back into slabs; neighbours with
 * the same route and the same length form a run, which leaves as one segmented send. A batch is bounded: when it is
 * full it has no room until the next pass, so that the loop reads its sockets in between. The engine gives reports
 * first; a little data goes before them all the same, since it may be the answer that somebody waits for.
 *
 * <p>Thread rule: the endpoint's event loop.
 */
final class SendBatch implements TransmitPort, OutboundSocket.Listener, AutoCloseable {
    /** Most bytes of a segmented send: more is split by the kernel before delivery (65,536 with all headers). */
    static final int RUN_BYTES_MAX = 65_000;
    /** Most packets of a segmented send: the kernel refuses more. */
    static final int RUN_PACKETS_MAX = 128;
    /** Bytes a pass sends at most: about a quarter of a millisecond at 40 Gbit/s. */
    static final int PASS_BYTES_MAX = 1 << 20;
    /** Packets a pass sends at most, so that small ones do not keep the loop from reading either. */
    static final int PASS_PACKETS_MAX = 1024;

    /** Bytes of a pass of which the data, in one send, goes before reports. */
    static final int LEAD_BYTES_MAX = 16 * 1024;

    private static final int SLAB_BYTES = 256 * 1024;
    private static final int SLABS_MAX = 8;

    private final Plane[] planes;
    private final int allPlanes;
    private final SendTally tally;
    private final Runnable roomAgain;
    private final List<OutboundSocket> touched = new ArrayList<>();
    private final int[] blockedSockets;
    private int openPlanes;

    // Slabs are made as they are needed and then reused; one is free while nobody but this class holds it.
    private final List<Slab> slabs = new ArrayList<>();
    private Slab slab;

    // The run that is being collected; without packets there is none.
    private @Nullable Route route;
    private @Nullable OutboundSocket socket;
    private @Nullable InetSocketAddress to;
    private int runStart;
    private int runPackets;
    private int segmentBytes;
    private boolean runEnded;
    private boolean runHasData;

    private boolean hasLead; // data that goes before reports
    private int passBytes;
    private int passPackets;
    private boolean wasFull;
    private boolean closed;

    /**
     * A batch over the sockets of {@code planes}.
     *
     * @param roomAgain called when a plane whose sockets were full takes packets again
     */
    SendBatch(Plane[] planes, SendTally tally, Runnable roomAgain) {
        this.planes = planes;
        this.tally = tally;
        this.roomAgain = roomAgain;
        this.allPlanes = (1 << planes.length) - 1;
        this.openPlanes = allPlanes;
        this.blockedSockets = new int[planes.length];
        this.slab = new Slab();
        slabs.add(slab);
    }

    @Override
    public int planesWithRoom() {
        if (closed) {
            return 0;
        }
        if (passBytes >= PASS_BYTES_MAX || passPackets >= PASS_PACKETS_MAX || !hasSlabForRun()) {
            wasFull = true;
            return 0;
        }
        return openPlanes;
    }

    @Override
    public void send(Transmit packet) {
        if (closed) {
            return;
        }
        int length = packet.length();
        if (!continuesRun(packet.route(), length)) {
            closeRun();
            if (!openRun(packet.route(), length)) {
                tally.failed(1);
                return;
            }
        }
        packet.copyTo(slab.view, slab.used);
        slab.used += length;
        runPackets++;
        runEnded = length < segmentBytes;
        runHasData |= packet.trafficClass() == TrafficClass.DATA;
        passBytes += length;
        passPackets++;
        tally.packet(length);
    }

    @Override
    public void flush() {
        if (closed) {
            return;
        }
        closeRun();
        for (int i = 0; i < touched.size(); i++) {
            touched.get(i).flush();
        }
        touched.clear();
        hasLead = false;
        passBytes = 0;
        passPackets = 0;
        if (slab.isFree()) {
            slab.used = 0;
        }
        tally.publish();
    }

    /** The service socket of a plane. */
    OutboundSocket service(int plane) {
        return planes[plane].socket(Route.SERVICE);
    }

    /** The socket that packets of a plane with this entropy leave through. */
    OutboundSocket socket(int plane, int entropy) {
        return planes[plane].socket(entropy);
    }

    /** Whether the engine was turned away for lack of room since this was last asked, and there is room now. */
    boolean takesMore() {
        boolean wasTurnedAway = wasFull;
        wasFull = false;
        return wasTurnedAway && openPlanes != 0 && hasSlabForRun();
    }

    /** Whether some plane takes no packets because its sockets are full. */
    boolean isBlocked() {
        return openPlanes != allPlanes;
    }

    @Override
    public void blocked(OutboundSocket blocked) {
        int plane = blocked.plane();
        blockedSockets[plane]++;
        openPlanes &= ~(1 << plane);
    }

    @Override
    public void unblocked(OutboundSocket unblocked) {
        int plane = unblocked.plane();
        blockedSockets[plane]--;
        if (blockedSockets[plane] == 0) {
            openPlanes |= 1 << plane;
            roomAgain.run();
        }
    }

    /** Lets go of the slabs; runs under way keep theirs until they have left. */
    @Override
    public void close() {
        closed = true;
        for (Slab each : slabs) {
            boolean unused = each.buffer.release();
        }
        slabs.clear();
    }

    /** Routes are made when paths are, and kept: another object is another route, or may as well be taken for one. */
    @SuppressWarnings("ReferenceEquality")
    private boolean continuesRun(Route next, int length) {
        return runPackets > 0
                && next == route
                && length <= segmentBytes
                && !runEnded
                && runPackets < RUN_PACKETS_MAX
                && slab.used - runStart + length <= RUN_BYTES_MAX;
    }

    private boolean openRun(Route next, int length) {
        if (next.plane() >= planes.length || length > RUN_BYTES_MAX || !turnToSlabWithRoom()) {
            return false;
        }
        Plane plane = planes[next.plane()];
        OutboundSocket chosen = plane.socket(next.entropy());
        route = next;
        socket = chosen;
        to = plane.target(next.remote());
        runStart = slab.used;
        segmentBytes = length;
        return true;
    }

    private void closeRun() {
        if (runPackets == 0) {
            return;
        }
        OutboundSocket chosen = socket;
        InetSocketAddress target = to;
        if (chosen != null && target != null) {
            Run run = new Run(slab.buffer, runStart, slab.used - runStart, segmentBytes, runPackets, target);
            if (chosen.write(run)) {
                boolean leads = runHasData && !hasLead && passBytes <= LEAD_BYTES_MAX;
                hasLead |= leads;
                touched.add(leads ? 0 : touched.size(), chosen);
            }
        }
        runPackets = 0;
        runEnded = false;
        runHasData = false;
        route = null;
    }

    /** A run needs its bytes in one piece; small change at the end of a slab is left unused. */
    private boolean hasSlabForRun() {
        return slab.hasRoomForRun() || slabs.size() < SLABS_MAX || freeSlab() != null;
    }

    private boolean turnToSlabWithRoom() {
        if (slab.hasRoomForRun()) {
            return true;
        }
        Slab next = freeSlab();
        if (next == null) {
            if (slabs.size() >= SLABS_MAX) {
                return false;
            }
            next = new Slab();
            slabs.add(next);
        }
        next.used = 0;
        slab = next;
        return true;
    }

    private @Nullable Slab freeSlab() {
        for (int i = 0; i < slabs.size(); i++) {
            Slab each = slabs.get(i);
            if (each != slab && each.isFree()) {
                return each;
            }
        }
        return null;
    }

    /** Memory for packets of several runs. Each queued run holds it once more, so it is free when they have left. */
    private static final class Slab {
        private final ByteBuf buffer = Unpooled.directBuffer(SLAB_BYTES, SLAB_BYTES);
        private final ByteBuffer view = buffer.nioBuffer(0, SLAB_BYTES);
        private int used;

        boolean isFree() {
            return buffer.refCnt() == 1;
        }

        boolean hasRoomForRun() {
            return SLAB_BYTES - used >= RUN_BYTES_MAX;
        }
    }
}
