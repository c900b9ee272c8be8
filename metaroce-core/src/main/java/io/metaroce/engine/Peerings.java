package io.metaroce.engine;

import io.metaroce.connection.Agreement;
import io.metaroce.connection.Connection;
import io.metaroce.connection.ConnectionOwner;
import io.metaroce.connection.HandshakePackets;
import io.metaroce.connection.Shared;
import io.metaroce.datagram.Address;
import io.metaroce.datagram.Transmit;
import io.metaroce.num.Entropy;
import io.metaroce.param.CloseReason;
import io.metaroce.param.Reception;
import io.metaroce.trace.Counter;
import io.metaroce.wire.ConnectParameters;
import io.metaroce.wire.PacketView;
import java.util.ArrayDeque;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** All connections of an endpoint: by number, by deadline, and in the order in which they may send. */
final class Peerings implements ConnectionOwner {
    private final Shared shared;
    private final EndpointMemory memory;
    private final TransportMemory budget;
    private final HandshakePackets packets;
    private final Entropy ids;
    private final Reception reception;
    private final ConnectionTable table;
    private final RequestIndex requests = new RequestIndex();
    private final ArrayDeque<Peering> undecided = new ArrayDeque<>(); // some may be decided meanwhile
    private final DeadlineHeap deadlines = new DeadlineHeap();
    private final ArrayDeque<Peering> ready = new ArrayDeque<>();
    private final ArrayDeque<Peering> unasked = new ArrayDeque<>(); // their timers may be others than remembered
    private final Consumer<Peering> compareTimers =
            this::compareTimers; // made once: assertions allocate nothing either
    private boolean remembered;
    private final int burstPackets;
    private int burst;
    private @Nullable Peering served; // sent last
    private int live;
    private long planeChanges; // of the table of planes, when timers were asked for last

    Peerings(Shared shared, EndpointMemory memory, HandshakePackets packets, Reception reception) {
        this.shared = shared;
        this.reception = reception;
        this.memory = memory;
        this.budget = new TransportMemory(shared.config());
        this.packets = packets;
        this.burstPackets = shared.config().scheduler().burstPackets();
        this.ids = shared.entropy().split("connId", 0);
        this.table = new ConnectionTable(2 * shared.config().limits().connections());
    }

    // ---- making

    Peering initiate(long nowNs, Address remote, int serviceId, ConnectionListener listener) {
        Peering peering = new Peering(shared, memory, budget, listener);
        peering.attach(Connection.initiate(nowNs, shared, this, peering, packets, newId(), remote, serviceId));
        return keep(peering);
    }

    Peering respond(PacketView request, ConnectParameters peer, Address advertised, ConnectionListener listener) {
        Peering peering = new Peering(shared, memory, budget, listener);
        peering.attach(Connection.respond(shared, this, peering, packets, newId(), request, peer, advertised));
        requests.put(
                request.connectRequest().initConnId(), request.connectRequest().nonce(), peering);
        undecided.add(peering);
        return keep(peering);
    }

    /** Whether no further connection fits; those that are gone and still answer count against a bound of their own. */
    boolean isFull() {
        int limit = shared.config().limits().connections();
        return live >= limit || table.count() >= 2 * limit;
    }

    /** The memory set aside for all of them. */
    TransportMemory budget() {
        return budget;
    }

    /** Connections that wait for the application to decide. */
    int undecided() {
        undecided.removeIf(Peerings::isDecided);
        return undecided.size();
    }

    private static boolean isDecided(Peering peering) {
        return !peering.connection().isUndecided();
    }

    // ---- finding

    @Nullable
    Peering get(int id) {
        return table.get(id);
    }

    /** The connection that a request has made before, or null. */
    @Nullable
    Peering answering(int initConnId, long nonce) {
        Peering peering = requests.get(initConnId, nonce);
        return peering != null && peering.connection().answers(initConnId, nonce) ? peering : null;
    }

    /** A RESET arrived; whether a connection ended by it. */
    boolean reset(long nowNs, int deadConnId, byte[] token) {
        for (int i = 0; i < table.places(); i++) {
            Peering peering = table.at(i);
            if (peering != null && peering.connection().onReset(nowNs, deadConnId, token)) {
                return true;
            }
        }
        return false;
    }

    List<Peering> all() {
        return table.all();
    }

    // ---- time and sending

    /** Connections that are looked at in the next turn. */
    int inLine() {
        return Math.max(ready.size(), unasked.size());
    }

    void onDeadline(long nowNs) {
        while (nowNs >= deadlines.earliestNs()) {
            Peering due = deadlines.first();
            deadlines.remove(due);
            due.connection().onDeadline(nowNs);
            due.connection().changed();
        }
    }

    /**
     * The earliest instant at which anybody wants to be called; those that may send are asked for their timers only.
     */
    long deadlineNs() {
        if (planeChanges != shared.planeTable().changes()) {
            planeChanges = shared.planeTable().changes();
            for (Peering peering : ready) {
                ask(peering);
            }
        }
        for (Peering peering = unasked.poll(); peering != null; peering = unasked.poll()) {
            peering.unasked = false;
            if (peering.ready) {
                // Timers go on while a connection has more to send than its planes take.
                deadlines.set(peering, peering.connection().timersNs());
            }
        }
        assert areRemembered() : "timers of a connection changed, and nobody has told";
        return deadlines.earliestNs();
    }

    private boolean areRemembered() {
        remembered = true;
        ready.forEach(compareTimers);
        return remembered;
    }

    private void compareTimers(Peering peering) {
        remembered &= deadlines.atNs(peering) == peering.connection().timersNs();
    }

    private void ask(Peering peering) {
        if (!peering.unasked) {
            peering.unasked = true;
            unasked.add(peering);
        }
    }

    /** Writes the next packet of the connections that have something to say, a burst at a time. */
    boolean poll(long nowNs, int planesWithRoom, Transmit out) {
        for (int left = ready.size(); left > 0; left--) {
            Peering peering = ready.element();
            ask(peering);
            switch (peering.connection().poll(nowNs, planesWithRoom, out)) {
                case SENT -> {
                    served = peering;
                    burst++;
                    if (burst >= burstPackets) {
                        nextTurn();
                    }
                    return true;
                }
                case NOTHING -> retire(ready.remove());
                case BLOCKED -> nextTurn();
            }
        }
        if (ready.peek() == served && served != null) {
            // Who has sent last comes after those who have only waited: they may want the same plane.
            nextTurn();
        }
        return false;
    }

    private void nextTurn() {
        burst = 0;
        ready.add(ready.remove());
    }

    private void retire(Peering peering) {
        served = served == peering ? null : served;
        burst = 0;
        peering.ready = false;
        if (table.get(peering.connection().localId()) == peering) {
            deadlines.set(peering, peering.connection().deadlineNs());
        }
    }

    // ---- what connections tell

    @Override
    public void changed(Connection connection) {
        Peering peering = table.get(connection.localId());
        if (peering != null) {
            ask(peering);
            if (!peering.ready) {
                peering.ready = true;
                ready.add(peering);
            }
        }
    }

    @Override
    public void agreed(long nowNs, Connection connection, Agreement agreement, ConnectParameters peer) {
        of(connection).agree(nowNs, agreement, peer);
    }

    @Override
    public void established(long nowNs, Connection connection, byte[] privateData) {
        shared.counters().increment(Counter.CONNECTIONS_OPENED);
        shared.events().established(nowNs, connection.localId());
        of(connection).listener().established(nowNs, connection.localId(), privateData);
    }

    @Override
    public void routeMoved(long nowNs, Connection connection, int path, boolean isOwn) {
        Peering peering = get(connection.localId());
        if (peering != null) {
            peering.listener().pathMoved(nowNs, connection.localId(), path, isOwn);
        }
    }

    @Override
    @SuppressWarnings("EnumOrdinal") // events carry the reason as its number
    public void gone(long nowNs, Connection connection, CloseReason reason, String detail, byte[] privateData) {
        Peering peering = of(connection);
        live--;
        peering.abort(nowNs, reason);
        shared.counters().increment(Counter.CONNECTIONS_CLOSED);
        shared.events().closed(nowNs, connection.localId(), reason.ordinal());
        peering.listener().closed(nowNs, connection.localId(), reason, detail, privateData);
    }

    @Override
    public void forget(Connection connection) {
        Peering peering = of(connection);
        deadlines.remove(peering);
        table.remove(peering);
        requests.remove(peering);
        peering.giveMemoryBack();
        if (peering.ready) {
            peering.ready = false;
            ready.remove(peering);
        }
        if (peering.unasked) {
            peering.unasked = false;
            unasked.remove(peering);
        }
    }

    private Peering keep(Peering peering) {
        table.put(peering);
        live++;
        return peering;
    }

    private Peering of(Connection connection) {
        Peering peering = table.get(connection.localId());
        if (peering == null) {
            throw new IllegalStateException("connection " + connection.localId() + " has been forgotten");
        }
        return peering;
    }

    private int newId() {
        int id = 0;
        // R-CONN-005: numbers are random, so one that was used lately does not come again.
        while (id == 0 || table.get(id) != null) {
            id = reception.number((int) ids.nextLong());
        }
        return id;
    }
}
