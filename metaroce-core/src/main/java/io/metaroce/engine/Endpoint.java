package io.metaroce.engine;

import io.metaroce.connection.HandshakePackets;
import io.metaroce.connection.PathOrders;
import io.metaroce.connection.Pauses;
import io.metaroce.connection.PlaneTable;
import io.metaroce.connection.Scratch;
import io.metaroce.connection.Seal;
import io.metaroce.connection.Shared;
import io.metaroce.datagram.Address;
import io.metaroce.datagram.Datagram;
import io.metaroce.datagram.Transmit;
import io.metaroce.memory.RegionTable;
import io.metaroce.message.StreamTable;
import io.metaroce.num.Deadline;
import io.metaroce.num.Entropy;
import io.metaroce.param.EndpointConfig;
import io.metaroce.param.FirstNumbers;
import io.metaroce.param.Reception;
import io.metaroce.path.ReceivePasses;
import io.metaroce.path.SlotSlab;
import io.metaroce.queue.CommandQueue;
import io.metaroce.queue.DoorbellQueue;
import io.metaroce.rate.FairShare;
import io.metaroce.trace.Counter;
import io.metaroce.trace.Counters;
import io.metaroce.trace.DropReason;
import io.metaroce.trace.TransportEvents;
import io.metaroce.wire.Crc32cTrailer;
import io.metaroce.wire.Opcode;
import io.metaroce.wire.PacketView;
import io.metaroce.wire.SecuredHeader;
import io.metaroce.wire.Trailer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Protocol state of one local endpoint. Confined to one thread.
 *
 * <p>Four kinds of methods: feed it ({@code on…}), command it ({@link #listen}, {@link #connect}, {@link #accept}, …,
 * {@link #close}), poll it ({@link #pollTransmit}, {@link #deadlineNs}), look at it (the rest). After feeding and
 * commanding: pollTransmit until false, then deadlineNs. Completions are pushed. Time never runs backwards; equal
 * instants are fine.
 */
public final class Endpoint {
    /** The deadline of an endpoint that waits for nothing. */
    public static final long NEVER = Deadline.NEVER;

    private static final int LOOKS = 2;
    private static final long PAUSE_MIN_NS = 100_000;

    private final EndpointConfig config;
    private final Shared shared;
    private final PlaneTable planeTable;
    private final CommandQueue<Endpoint> commands;
    private final DoorbellQueue doorbells;
    private final EndpointMemory memory;
    private final StatelessReplies replies;
    private final Peerings peerings;
    private final RequestDesk desk;
    private final ResetDesk resets;
    private final PacketView view;
    private final SecureIntake secure;

    /**
     * An endpoint without connections.
     *
     * @param planes where it receives, by plane; told to every peer
     * @param entropy its only source of randomness
     * @param commands what other threads ask for
     * @param doorbells work queues that other threads have rung
     */
    public Endpoint(
            EndpointConfig config,
            List<Address> planes,
            Entropy entropy,
            Counters counters,
            TransportEvents events,
            CommandQueue<Endpoint> commands,
            DoorbellQueue doorbells) {
        this(config, planes, entropy, counters, events, commands, doorbells, Reception.USUAL);
    }

    /** The same for whoever reads several queues or shares its address with other endpoints. */
    public Endpoint(
            EndpointConfig config,
            List<Address> planes,
            Entropy entropy,
            Counters counters,
            TransportEvents events,
            CommandQueue<Endpoint> commands,
            DoorbellQueue doorbells,
            Reception reception) {
        this(
                config,
                planes,
                entropy,
                counters,
                events,
                commands,
                doorbells,
                reception,
                FirstNumbers.USUAL,
                new Crc32cTrailer());
    }

    /**
     * The same for models and measurements.
     *
     * @param first where its counters begin, for runs that reach the wrap-around
     * @param trailer of what it sends and receives; another one shows what it does beside reading payload
     */
    public Endpoint(
            EndpointConfig config,
            List<Address> planes,
            Entropy entropy,
            Counters counters,
            TransportEvents events,
            CommandQueue<Endpoint> commands,
            DoorbellQueue doorbells,
            FirstNumbers first,
            Trailer trailer) {
        this(config, planes, entropy, counters, events, commands, doorbells, Reception.USUAL, first, trailer);
    }

    private Endpoint(
            EndpointConfig config,
            List<Address> planes,
            Entropy entropy,
            Counters counters,
            TransportEvents events,
            CommandQueue<Endpoint> commands,
            DoorbellQueue doorbells,
            Reception reception,
            FirstNumbers first,
            Trailer trailer) {
        this.config = config;
        this.commands = commands;
        this.doorbells = doorbells;
        view = new PacketView(trailer);
        Seal seal = new Seal(trailer, counters);
        SlotSlab slab = new SlotSlab(config.limits().slots());
        FairShare fairShare = new FairShare(config.rate());
        planeTable = new PlaneTable(
                planes.size(), config.plane(), fairShare, config.rate().inboundBytesPerSecond());
        shared = new Shared(
                config,
                List.copyOf(planes),
                slab,
                fairShare,
                planeTable,
                seal,
                new Scratch(config),
                entropy,
                counters,
                events,
                first,
                new ReceivePasses(reception),
                new Pauses());
        memory = new EndpointMemory(config, counters);
        HandshakePackets packets = new HandshakePackets(seal);
        replies = new StatelessReplies(packets, entropy.split("cookie", 0));
        peerings = new Peerings(shared, memory, packets, reception);
        desk = new RequestDesk(config, peerings, replies);
        secure = new SecureIntake(config.security());
        resets = new ResetDesk(config.security(), peerings, replies, counters);
    }

    // ---- feed: the network and the clock

    /** Takes one datagram. Whatever it holds, it is never an exception: what does not fit is dropped and counted. */
    public void onDatagram(long nowNs, Datagram datagram) {
        shared.counters().increment(Counter.RX_PACKETS);
        shared.counters().add(Counter.RX_BYTES, datagram.length());
        DropReason fault = receive(nowNs, datagram);
        if (fault != null) {
            shared.counters().dropped(fault);
            shared.events().dropped(nowNs, fault);
        }
    }

    /**
     * An ICMP error says that packets of a connection, from the source port {@code entropy} of a plane, do not reach
     * the peer. It may be forged, so it makes a path suspect and nothing more.
     */
    public void onUnreachable(long nowNs, int connectionId, int plane, int entropy) {
        Peering peering = peerings.get(connectionId);
        PathOrders orders = peering == null ? null : peering.connection().pathOrders();
        if (peering != null && orders != null) {
            orders.onUnreachable(nowNs, plane, entropy);
            peering.connection().changed();
        }
    }

    /** Every receive queue has been emptied since the last call; without effect where there is only one. */
    public void onPassEnd() {
        shared.passes().end();
    }

    /** Runs everything that is due. */
    public void onDeadline(long nowNs) {
        peerings.onDeadline(nowNs);
        doorbells.alarms().onDeadline(nowNs);
    }

    /**
     * Whoever drives the endpoint comes {@code lengthNs} later than was asked, which is much: it stood still. Before
     * anything else is fed.
     */
    public void onPaused(long nowNs, long lengthNs) {
        shared.pauses().add(nowNs, lengthNs);
    }

    /** How much later than asked is a pause. */
    public long pauseNs() {
        return Math.max(config.path().timeoutFloorNs(), PAUSE_MIN_NS);
    }

    // ---- command: the consumer

    /** Runs the commands and drains the work queues that other threads have rung. */
    public void onDoorbell(long nowNs) {
        // What is answered may ring others, which are answered along with it; the second look finds their call heeded.
        for (int look = 0; look < LOOKS && doorbells.isPending(); look++) {
            // Clears the flag before it looks; commands come after, so none that is offered meanwhile goes unseen.
            doorbells.drain(nowNs);
            commands.drain(nowNs, this);
        }
    }

    /**
     * Offers to {@code serviceId} go to {@code listener} from now on.
     *
     * @throws IllegalArgumentException when the service has a listener already
     */
    public void listen(int serviceId, ConnectionListener listener) {
        desk.listen(serviceId, listener);
    }

    /** Offers to {@code serviceId} are rejected from now on; connections made before stay. */
    public void unlisten(int serviceId) {
        desk.unlisten(serviceId);
    }

    /**
     * Asks {@code remote} for a connection to {@code serviceId}. The answer comes through {@code listener}.
     *
     * @param streams the queue pairs that are to use it
     * @param privateData at most 224 bytes for the application there
     * @return local number of the connection
     * @throws IllegalArgumentException when a stream is bound twice or is beyond {@code connection.streams}
     * @throws IllegalStateException when the endpoint holds as many connections as {@code limits.connections} allows,
     *     or {@code limits.transportBytes} leaves no room
     */
    public int connect(
            long nowNs,
            Address remote,
            int serviceId,
            List<StreamBinding> streams,
            byte[] privateData,
            ConnectionListener listener) {
        StreamRules.check(config, streams);
        if (peerings.isFull()) {
            throw new IllegalStateException("this endpoint already holds "
                    + config.limits().connections() + " connections; change the setting limits.connections");
        }
        requireMemory(
                "this connection",
                peerings.budget().ofConnection() + peerings.budget().of(streams));
        Peering peering = peerings.initiate(nowNs, remote, serviceId, listener);
        peering.connection().say(privateData, peering.bind(nowNs, streams));
        peering.connection().changed();
        return peering.connection().localId();
    }

    /**
     * Accepts an offered connection with the queue pairs that are to use it. Without effect when the offer is gone; the
     * connection is rejected instead when {@code limits.transportBytes} leaves no room for them.
     *
     * @throws IllegalArgumentException when a stream is bound twice or is beyond {@code connection.streams}
     */
    public void accept(long nowNs, int connectionId, List<StreamBinding> streams, byte[] privateData) {
        Peering peering = peerings.get(connectionId);
        if (peering == null || !peering.connection().isUndecided()) {
            return;
        }
        StreamRules.check(config, streams);
        long needed = peerings.budget().of(streams);
        if (peerings.budget().fits(needed)) {
            peering.connection().accept(nowNs, privateData, peering.bind(nowNs, streams));
        } else {
            peering.connection().refuseForWantOfMemory(nowNs, peerings.budget().refusal(needed));
        }
    }

    /** Refuses an offered connection. Without effect when the offer is gone. */
    public void reject(long nowNs, int connectionId, byte[] privateData) {
        Peering peering = peerings.get(connectionId);
        if (peering != null) {
            peering.connection().reject(nowNs, privateData);
        }
    }

    /**
     * Binds one more queue pair to a connection. False when there is no such connection.
     *
     * @throws IllegalArgumentException when the stream is bound already or is beyond {@code connection.streams}
     * @throws IllegalStateException when {@code limits.transportBytes} leaves no room for it
     */
    public boolean openStream(long nowNs, int connectionId, StreamBinding stream) {
        Peering peering = peerings.get(connectionId);
        if (peering == null || peering.gone) {
            return false;
        }
        StreamRules.check(config, List.of(stream));
        if (peering.streams().isBound(stream.streamId())) {
            throw new IllegalArgumentException("stream " + stream.streamId() + " is bound twice");
        }
        requireMemory("this stream", peerings.budget().of(stream));
        peering.bind(nowNs, List.of(stream));
        peering.connection().reportWanted();
        return true;
    }

    /** Takes a queue pair off its stream: what is outstanding is flushed, the peer learns that the stream is closed. */
    public void closeStream(long nowNs, int connectionId, int streamId) {
        Peering peering = peerings.get(connectionId);
        if (peering != null && !peering.gone) {
            peering.streams().closeStream(nowNs, streamId);
            peering.connection().reportWanted();
        }
    }

    /** Closes a connection gracefully. Without effect when there is no such connection. */
    public void close(long nowNs, int connectionId) {
        Peering peering = peerings.get(connectionId);
        if (peering != null) {
            peering.connection().close(nowNs);
            peering.connection().changed();
        }
    }

    /** Gives a connection up at once. Without effect when there is no such connection. */
    public void abort(long nowNs, int connectionId) {
        Peering peering = peerings.get(connectionId);
        if (peering != null) {
            peering.connection().abort(nowNs);
        }
    }

    /** The own port of a plane lost its carrier, or the operator takes it down: everything leaves it at once. */
    public void planeDown(long nowNs, int plane) {
        planeTable.down(nowNs, plane);
    }

    /** The own port of a plane works again. */
    public void planeUp(long nowNs, int plane) {
        planeTable.up(nowNs, plane);
    }

    /** Takes a path of a connection out of use, once it has drained; false when it is none, or the last one. */
    public boolean parkPath(long nowNs, int connectionId, int path) {
        Peering peering = peerings.get(connectionId);
        PathOrders orders = peering == null ? null : peering.connection().pathOrders();
        if (peering == null || orders == null) {
            return false;
        }
        boolean parked = orders.park(nowNs, path);
        peering.connection().changed();
        return parked;
    }

    /**
     * Has a path of a connection drain and take another source port on its plane; false when there is none such, or it
     * is pinned.
     */
    public boolean redrawPath(long nowNs, int connectionId, int path) {
        Peering peering = peerings.get(connectionId);
        PathOrders orders = peering == null ? null : peering.connection().pathOrders();
        if (peering == null || orders == null) {
            return false;
        }
        boolean redrawn = orders.redraw(nowNs, path);
        peering.connection().changed();
        return redrawn;
    }

    /**
     * Pins a path of a connection to its route, which it then leaves only when that fails, or lets it go again; false
     * when there is none such.
     */
    public boolean pinPath(int connectionId, int path, boolean isPinned) {
        Peering peering = peerings.get(connectionId);
        PathOrders orders = peering == null ? null : peering.connection().pathOrders();
        return orders != null && orders.pin(path, isPinned);
    }

    /**
     * How many bursts in a row a stream sends while others of its connection wait, 1..{@link StreamTable#WEIGHT_MAX};
     * false when there is no such stream.
     */
    public boolean streamWeight(int connectionId, int streamId, int weight) {
        Peering peering = peerings.get(connectionId);
        return peering != null && !peering.gone && peering.streams().weight(streamId, weight);
    }

    /** Lets a path return to use, once a route of its own has answered. */
    public void unparkPath(long nowNs, int connectionId, int path) {
        Peering peering = peerings.get(connectionId);
        PathOrders orders = peering == null ? null : peering.connection().pathOrders();
        if (peering != null && orders != null) {
            orders.unpark(nowNs, path);
            peering.connection().changed();
        }
    }

    // ---- poll

    /**
     * Writes the next packet into {@code out}.
     *
     * @param planesWithRoom bit k is set while plane k takes packets
     * @return false when nothing may be sent now
     */
    public boolean pollTransmit(long nowNs, int planesWithRoom, Transmit out) {
        out.reset();
        // Replies go to the one address that is known of whoever asks, which is that of plane 0.
        return ((planesWithRoom & 1) != 0 && replies.write(out)) || peerings.poll(nowNs, planesWithRoom, out);
    }

    /** When to call {@link #onDeadline} at the latest, in ns, or {@link #NEVER}. */
    public long deadlineNs() {
        return Math.min(peerings.deadlineNs(), doorbells.alarms().earliestNs());
    }

    // ---- look

    /** The registered memory of this endpoint. */
    public RegionTable regions() {
        return memory.regions();
    }

    /** What this endpoint counts. */
    public Counters counters() {
        return shared.counters();
    }

    /** A connection as it stands, or null when there is none of this number. */
    public @Nullable ConnectionView view(int connectionId) {
        Peering peering = peerings.get(connectionId);
        return peering == null ? null : ConnectionView.of(peering.connection());
    }

    /** The numbers of all connections, those that are gone and still answer included. */
    public List<Integer> connectionIds() {
        List<Integer> numbers = new ArrayList<>();
        for (Peering peering : peerings.all()) {
            numbers.add(peering.connection().localId());
        }
        return numbers;
    }

    /** The memory set aside for the state of this endpoint. */
    public MemoryUse memoryUse() {
        return peerings.budget().use();
    }

    /** Packets in flight that this endpoint can still take. */
    public int freeSlots() {
        return shared.slab().available();
    }

    /** Who keeps a connection, or null. */
    @Nullable
    Peering peering(int connectionId) {
        return peerings.get(connectionId);
    }

    /** Connections that are looked at in the next turn. */
    int inLine() {
        return peerings.inLine();
    }

    // ---- inside

    private void requireMemory(String what, long bytes) {
        if (!peerings.budget().fits(bytes)) {
            throw new IllegalStateException(
                    "no memory for " + what + ": " + peerings.budget().refusal(bytes));
        }
    }

    private @Nullable DropReason receive(long nowNs, Datagram datagram) {
        if (SecuredHeader.begins(datagram)) {
            return receiveSecured(nowNs, datagram);
        }
        DropReason fault = view.open(datagram);
        if (view.isRequestOfAnotherVersion()) {
            return desk.onOtherVersion(view);
        }
        if (fault != null && !isUnknownOpcode(fault)) {
            return fault;
        }
        if (fault == null && view.opcode() == Opcode.CONN_REQ) {
            return onRequest(nowNs);
        }
        // R-HDR-009: the connection follows from DstConnId alone, whatever address the packet comes from.
        Peering peering = peerings.get(view.base().dstConnId());
        if (peering == null) {
            return fault == null ? onStranger(nowNs) : fault;
        }
        if (secure.isDemanded() && !isInClear(view.base().opcode())) {
            return DropReason.INTEGRITY;
        }
        int seed = Opcode.usesSeedZero(view.base().opcode())
                ? 0
                : peering.connection().receiveSeed();
        // R-HDR-007: a packet with a wrong trailer changes nothing but a counter.
        if (!view.trailerMatches(seed)) {
            return fault == null ? DropReason.INTEGRITY : fault;
        }
        return deliver(nowNs, peering, fault);
    }

    private @Nullable DropReason receiveSecured(long nowNs, Datagram datagram) {
        DropReason fault = secure.judge(datagram);
        if (fault != null) {
            return fault;
        }
        int connId = secure.dstConnId(datagram);
        Peering peering = peerings.get(connId);
        if (peering == null) {
            resets.onUnknown(nowNs, datagram, connId);
            return DropReason.NO_CONNECTION;
        }
        fault = secure.open(nowNs, datagram, peering.connection());
        if (fault != null) {
            return fault;
        }
        fault = view.open(secure.opened());
        if (fault != null && !isUnknownOpcode(fault)) {
            return fault;
        }
        int opcode = view.base().opcode();
        boolean isOdd = view.base().dstConnId() != connId || isInClear(opcode);
        return isOdd ? DropReason.UNEXPECTED : deliver(nowNs, peering, fault);
    }

    /** Packets that are never secured, because the two sides have no keys yet, or none any more. */
    private static boolean isInClear(int opcode) {
        return Opcode.usesSeedZero(opcode) && opcode != Opcode.CONN_CONFIRM;
    }

    /** A packet that is known to be genuine. */
    private @Nullable DropReason deliver(long nowNs, Peering peering, @Nullable DropReason known) {
        DropReason fault = known == null ? view.parse() : known;
        if (fault == DropReason.OPCODE || fault == DropReason.TLV_CRITICAL) {
            // R-HDR-005, R-HDR-012: what must be understood and is not leaves its slot unconsumed and is refused.
            peering.connection().refuseUnsupported(nowNs, view);
        }
        return fault == null ? peering.connection().onPacket(nowNs, view) : fault;
    }

    /** Opcodes below the experiments are refused, once the packet is known to be genuine; experiments go in silence. */
    private boolean isUnknownOpcode(DropReason fault) {
        return fault == DropReason.OPCODE && view.base().opcode() < Opcode.EXPERIMENTS;
    }

    /** A packet for no connection there is: a RESET, or what may draw one. */
    private @Nullable DropReason onStranger(long nowNs) {
        if (view.opcode() != Opcode.RESET) {
            if (!Opcode.usesSeedZero(view.opcode())) {
                resets.onUnknown(nowNs, view.datagram(), view.base().dstConnId());
            }
            return DropReason.NO_CONNECTION;
        }
        if (!view.trailerMatches(0)) {
            return DropReason.INTEGRITY;
        }
        DropReason fault = view.parse();
        return fault == null ? resets.onReset(nowNs, view.reset()) : fault;
    }

    private @Nullable DropReason onRequest(long nowNs) {
        if (!view.trailerMatches(0)) {
            return DropReason.INTEGRITY;
        }
        DropReason fault = view.parse();
        return fault == null ? desk.onRequest(nowNs, view) : fault;
    }
}
