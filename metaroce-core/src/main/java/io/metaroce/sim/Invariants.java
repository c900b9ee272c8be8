package io.metaroce.sim;

import io.metaroce.datagram.AddressSource;
import io.metaroce.datagram.Datagram;
import io.metaroce.datagram.TrafficClass;
import io.metaroce.trace.DropReason;
import io.metaroce.wire.ConnectParameters;
import io.metaroce.wire.Opcode;
import io.metaroce.wire.PacketView;
import io.metaroce.wire.PathBlock;
import io.metaroce.wire.ProbeHeader;
import io.metaroce.wire.SecuredHeader;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Reads every packet of a world and stops the run at the first that breaks the protocol, or at the first packet the
 * world itself loses count of. What is known of a connection is learnt from its handshake, nothing from the engine.
 *
 * <p>Checked where a packet is sent, against what has been sent and delivered before:
 *
 * <ul>
 *   <li>{@link PathLaw}: numbers, stamps, epochs, windows, resends, acknowledgements of one path
 *   <li>{@link FragmentLaw}: every payload once per attempt, whole fragments
 *   <li>here: well-formed packets with right trailers, to advertised addresses only, AckSeq, classes, lengths
 *   <li>{@link Conservation}: no packet appears or disappears
 * </ul>
 */
public final class Invariants implements PacketObserver {
    private static final int REPORT_BYTES_MAX = 2048;
    private static final int CONSERVATION_EVERY = 64;

    private final World world;
    private final PacketPool packets;
    private final PacketView view = new PacketView();
    private final SecuredHeader secured = new SecuredHeader();
    private final Datagram datagram = new Datagram();
    private final AddressSource source = () -> {
        throw new IllegalStateException("a checker has no use for the source");
    };
    private final LongTable<Requester> requesters = new LongTable<>();
    private final LongTable<Direction> directions = new LongTable<>(); // by receiving node and its ConnId
    private @Nullable Recorder recorder;
    private long eventsSeen;
    private long checked;

    private Invariants(World world) {
        this.world = world;
        this.packets = world.packets();
    }

    /** Watches over a world from now on. */
    public static Invariants watch(World world) {
        Invariants invariants = new Invariants(world);
        world.observe(invariants);
        return invariants;
    }

    /** Shows the last packets of a recorder with each violation. */
    public Invariants with(Recorder value) {
        recorder = value;
        return this;
    }

    /** Packets of known connections that were checked. */
    public long checkedPackets() {
        return checked;
    }

    /** Someone who asked for a connection. */
    private record Requester(int node, ConnectParameters parameters) {}

    /** One direction of a connection: slots this way, their acknowledgements the other way. */
    static final class Direction {
        final int from;
        final int to;
        final int connId;
        final Terms terms;
        final @Nullable PathLaw[] paths = new PathLaw[256];
        final FragmentLaw fragments;
        boolean hasAckSeq;
        long lastCounter; // of secured packets that travel this way
        int lastAckSeq; // of reports that travel this way

        @Nullable
        Direction reverse;

        Direction(int from, int to, int connId, Terms terms) {
            this.from = from;
            this.to = to;
            this.connId = connId;
            this.terms = terms;
            fragments = new FragmentLaw(terms.payloadBytes());
        }

        PathLaw path(int id) {
            PathLaw law = paths[id];
            if (law == null) {
                law = new PathLaw(id, terms);
                paths[id] = law;
            }
            return law;
        }
    }

    /**
     * What both sides agreed on for one direction.
     *
     * @param psnSeed where the sender's PSNs begin
     * @param crcSeed trailer seed of packets this way
     * @param window slots the receiver tracks per path
     * @param sackWords words of bitmap a block covers
     * @param payloadBytes payload of a full packet
     * @param pathsMax paths the receiver accepts
     * @param parameters everything else the receiver said
     */
    record Terms(
            int psnSeed,
            int crcSeed,
            int window,
            int sackWords,
            int payloadBytes,
            int pathsMax,
            ConnectParameters parameters) {}

    @Override
    public void sent(long timePs, int node, int packet) {
        view(packet);
        if (SecuredHeader.begins(datagram)) {
            secured(node, packet);
            return;
        }
        DropReason fault = view.open(datagram);
        if (fault == null) {
            fault = view.parse();
        }
        if (fault != null) {
            throw violation("R-HDR-001", packet, "a malformed packet is sent: " + fault.label());
        }
        int opcode = view.opcode();
        boolean isDataClass = Opcode.isSlot(opcode) || opcode == Opcode.PROBE;
        // Checks R-HDR-013: slot packets and probes share one DSCP.
        if (isDataClass != (packets.trafficClass(packet) == TrafficClass.DATA)) {
            throw violation("R-HDR-013", packet, "sent in class " + packets.trafficClass(packet));
        }
        if (Opcode.usesSeedZero(opcode)) {
            handshake(node, packet);
            return;
        }
        Direction direction =
                directions.get(key(packets.destination(packet), view.base().dstConnId()));
        if (direction == null) {
            throw violation("I3", packet, "no connection was made with this ConnId at the destination");
        }
        established(direction, node, packet);
        checked++;
    }

    @Override
    public void delivered(long timePs, int node, int packet) {
        view(packet);
        if (view.open(datagram) != null || view.parse() != null || Opcode.usesSeedZero(view.opcode())) {
            return;
        }
        Direction direction = directions.get(key(node, view.base().dstConnId()));
        // A corrupted packet counts only if its trailer is right all the same: bit M may change on the way.
        if (direction == null || (packets.isCorrupted(packet) && !view.trailerMatches(direction.terms.crcSeed()))) {
            return;
        }
        if (Opcode.isSlot(view.opcode())) {
            direction.path(view.base().pathId()).onSlotDelivered(view.base().psn());
        } else if (view.opcode() == Opcode.ACK && direction.reverse != null) {
            for (int i = 0; i < view.pathBlockCount(); i++) {
                PathBlock block = view.pathBlock(i);
                direction.reverse.path(block.pathId()).onBlockDelivered(block);
            }
        }
    }

    @Override
    public void afterEvent(long timePs) {
        if (++eventsSeen % CONSERVATION_EVERY == 0) {
            String fault = world.conservation().fault();
            if (!fault.isEmpty()) {
                throw new InvariantViolation("V11", fault + where());
            }
        }
    }

    /** What is inside nobody sees; what can be seen is where it goes and that no counter comes twice. */
    private void secured(int node, int packet) {
        secured.wrap(datagram.buffer(), datagram.offset());
        Direction direction = directions.get(key(packets.destination(packet), secured.dstConnId()));
        if (direction == null) {
            throw violation("I3", packet, "no connection was made with this ConnId at the destination");
        }
        if (direction.from != node || !isAdvertised(direction, packet)) {
            throw violation("R-HDR-010", packet, "sent to an address the peer did not advertise");
        }
        // Checks R-SEC-001: the nonce is new for every transmission.
        if (secured.counter() <= direction.lastCounter) {
            throw violation("R-SEC-001", packet, "counter " + secured.counter() + " after " + direction.lastCounter);
        }
        direction.lastCounter = secured.counter();
        checked++;
    }

    private void handshake(int node, int packet) {
        if (!view.trailerMatches(0)) {
            throw violation("R-HDR-007", packet, "the trailer is wrong");
        }
        if (view.opcode() == Opcode.CONN_REQ) {
            ConnectParameters parameters = parameters(packet);
            requesters.put(key(node, view.connectRequest().initConnId()), new Requester(node, parameters));
        } else if (view.opcode() == Opcode.CONN_ACCEPT) {
            int initConnId = view.base().dstConnId();
            int respConnId = view.connectAccept().respConnId();
            Requester requester = requesters.get(key(packets.destination(packet), initConnId));
            if (requester == null) {
                throw violation("R-CONN-003", packet, "an acceptance nobody asked for");
            }
            Direction back = directions.get(key(packets.destination(packet), initConnId));
            Direction there = back == null ? null : back.reverse;
            // Checks R-CONN-003: a repeated request never makes a second connection.
            if (there != null && (there.connId != respConnId || there.to != node)) {
                throw violation("R-CONN-003", packet, "a second connection for one request");
            }
            if (there == null) {
                agreed(requester, initConnId, node, respConnId, parameters(packet));
            }
        }
    }

    private ConnectParameters parameters(int packet) {
        ConnectParameters parameters = new ConnectParameters();
        DropReason fault = parameters.read(view.buffer(), view.tlvOffset(), view.tlvEnd());
        if (fault != null) {
            throw violation("R-CONN-008", packet, "parameters nobody can read: " + fault.label());
        }
        return parameters;
    }

    private void agreed(
            Requester requester, int initConnId, int responder, int respConnId, ConnectParameters accepted) {
        ConnectParameters asked = requester.parameters();
        Direction there = new Direction(requester.node(), responder, respConnId, terms(asked, accepted, accepted));
        Direction back = new Direction(responder, requester.node(), initConnId, terms(accepted, asked, accepted));
        there.reverse = back;
        back.reverse = there;
        directions.put(key(responder, respConnId), there);
        directions.put(key(requester.node(), initConnId), back);
    }

    private static Terms terms(ConnectParameters sender, ConnectParameters receiver, ConnectParameters choices) {
        return new Terms(
                sender.psnSeed(),
                receiver.crcSeed(),
                1 << receiver.trackWindowLog2(),
                choices.sackWords(),
                choices.maxPayload(),
                receiver.maxPaths(),
                receiver);
    }

    private void established(Direction direction, int node, int packet) {
        // Checks R-HDR-010: packets of a connection go to advertised addresses.
        if (direction.from != node || !isAdvertised(direction, packet)) {
            throw violation("R-HDR-010", packet, "sent to an address the peer did not advertise");
        }
        if (!view.trailerMatches(direction.terms.crcSeed())) {
            throw violation("R-HDR-007", packet, "the trailer is wrong");
        }
        int opcode = view.opcode();
        int pathId = view.base().pathId();
        if (pathId >= direction.terms.pathsMax()) {
            throw violation("R-CONN-008", packet, "the peer accepts paths below " + direction.terms.pathsMax());
        }
        String fault = "";
        if (Opcode.isSlot(opcode)) {
            fault = direction.fragments.onSent(view);
            if (fault.isEmpty()) {
                fault = direction.path(pathId).onSlotSent(view, packets, packet);
            }
        } else if (opcode == Opcode.PROBE) {
            if ((view.probe().flags() & ProbeHeader.IN_PATH) != 0) {
                fault = direction.path(pathId).onProbeSent(view, packets, packet);
            }
        } else {
            fault = report(direction, packet);
        }
        if (!fault.isEmpty()) {
            int colon = fault.indexOf(':');
            throw violation(fault.substring(0, colon), packet, fault.substring(colon + 2));
        }
    }

    private String report(Direction direction, int packet) {
        if (packets.length(packet) > REPORT_BYTES_MAX) {
            return "R-HDR-011: a report longer than " + REPORT_BYTES_MAX + " bytes";
        }
        if (!Opcode.isReport(view.opcode())) {
            return "";
        }
        int ackSeq = view.base().psn();
        if (direction.hasAckSeq && ackSeq != direction.lastAckSeq + 1) {
            return "ACKSEQ: AckSeq " + ackSeq + " follows " + direction.lastAckSeq;
        }
        direction.hasAckSeq = true;
        direction.lastAckSeq = ackSeq;
        Direction slots = direction.reverse;
        if (view.opcode() == Opcode.ACK && slots != null) {
            for (int i = 0; i < view.pathBlockCount(); i++) {
                PathBlock block = view.pathBlock(i);
                String fault = slots.path(block.pathId()).onBlockSent(block);
                if (!fault.isEmpty()) {
                    return fault;
                }
            }
        }
        return "";
    }

    private boolean isAdvertised(Direction direction, int packet) {
        int plane = packets.plane(packet);
        int node = packets.destination(packet);
        if (node != direction.to) {
            return false;
        }
        for (ConnectParameters.PlaneAddress one : direction.terms.parameters().planes()) {
            if (one.plane() == plane
                    && Addressing.node(one.address()) == node
                    && one.address().port() == packets.destinationPort(packet)) {
                return true;
            }
        }
        return false;
    }

    private void view(int packet) {
        packets.show(packet, datagram, source);
    }

    private InvariantViolation violation(String id, int packet, String what) {
        return new InvariantViolation(id, what + "\n  " + new TraceLine().of(world, "sent", packet) + where());
    }

    private String where() {
        Recorder shown = recorder;
        return String.format(
                        Locale.ROOT, "%n  seed %d, time %d ps", world.seeds().seed(), world.nowPs())
                + (shown == null ? "" : "\n  the last packets:\n" + shown.text());
    }

    private static long key(int node, int connId) {
        return ((long) node << 32) | (connId & 0xFFFF_FFFFL);
    }
}
