package io.metaroce.sim.swarm;

import io.metaroce.engine.ConnectionListener;
import io.metaroce.engine.Offer;
import io.metaroce.engine.StreamBinding;
import io.metaroce.num.SplitMix64;
import io.metaroce.param.CloseReason;
import io.metaroce.sim.App;
import io.metaroce.sim.Host;
import io.metaroce.sim.PlacementOracle;
import io.metaroce.sim.swarm.SwarmCase.End;
import io.metaroce.sim.swarm.SwarmCase.Flaw;
import io.metaroce.sim.swarm.SwarmCase.Op;
import io.metaroce.sim.swarm.SwarmCase.Talk;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One connection of a case: its two sides, its streams, and what its applications do at each of their turns. */
final class Conversation {
    private static final int SERVICES = 100;
    private static final int GUARD = 64; // bytes between messages that nobody may touch
    private static final int ALIGN = 8;
    private static final long RNR_DELAY_NS = 20_000;

    private final Talk talk;
    private final int number;
    private final boolean isDisturbed;
    private final boolean mayBeRefused; // for want of memory
    private final boolean needsTooMany; // streams
    private final Party initiator;
    private final Party responder;
    private final List<Lane> lanes = new ArrayList<>();
    private boolean isEnding;

    /** One side of a connection. */
    static final class Party implements ConnectionListener {
        private final Host host;
        private final List<App> apps = new ArrayList<>();
        private final List<Lane> sends = new ArrayList<>(); // by app
        private final List<Lane> receives = new ArrayList<>(); // by app
        private final List<Integer> seen = new ArrayList<>(); // by app: completions looked at
        private final List<String> events = new ArrayList<>();
        private @Nullable SharedReceives shared;
        private int connection;
        private boolean isOpened;
        private boolean isEstablished;
        private boolean isClosed;
        private boolean isDead;

        Party(Host host) {
            this.host = host;
        }

        private List<StreamBinding> bindings() {
            List<StreamBinding> bindings = new ArrayList<>();
            for (App app : apps) {
                bindings.add(app.binding());
            }
            return bindings;
        }

        @Override
        public void offered(long nowNs, int id, Offer offer) {
            connection = id;
            isOpened = true;
            host.commands().offer((now, endpoint) -> endpoint.accept(now, id, bindings(), new byte[3]));
            host.doorbells().wake();
        }

        @Override
        public void established(long nowNs, int id, byte[] privateData) {
            events.add("established at " + nowNs);
            isEstablished = true;
        }

        @Override
        public void closed(long nowNs, int id, CloseReason reason, String detail, byte[] privateData) {
            events.add("closed at " + nowNs + ", " + reason + ": " + detail);
            isClosed = true;
        }

        @Override
        public void streamFailed(long nowNs, int id, int streamId, String detail) {
            events.add("stream " + streamId + " failed at " + nowNs + ": " + detail);
        }

        private boolean isOver() {
            return isClosed || isDead;
        }

        /** Its own work has ended, and so has the connection as it sees it. */
        private boolean hasEnded() {
            if (isDead || !isOpened) {
                return true;
            }
            boolean ended = isClosed;
            for (int i = 0; i < apps.size(); i++) {
                ended &= sends.get(i).haveSendsEnded() && receives.get(i).haveReceivesEnded();
            }
            return ended;
        }

        private String poll() {
            for (int i = 0; i < apps.size() && !isDead; i++) {
                List<App.Done> done = apps.get(i).poll();
                for (int k = seen.get(i); k < done.size(); k++) {
                    App.Done one = done.get(k);
                    boolean isReceive = one.opcode().isReceive();
                    String fault = isReceive
                            ? receives.get(i).onReceiveEnded(one)
                            : sends.get(i).onSendEnded(one);
                    if (!fault.isEmpty()) {
                        return fault;
                    }
                }
                seen.set(i, done.size());
            }
            return "";
        }

        private boolean posts(long nowNs) {
            boolean has = false;
            if (shared != null && isEstablished && !isOver()) {
                shared.posts(nowNs);
            }
            for (int i = 0; i < apps.size() && isEstablished && !isOver(); i++) {
                receives.get(i).revokes(nowNs);
                has |= receives.get(i).postsReceives(nowNs);
                has |= sends.get(i).postsSends(nowNs);
            }
            return has;
        }
    }

    Conversation(
            SwarmCase one,
            int number,
            Host from,
            Host to,
            boolean isDisturbed,
            PlacementOracle oracle,
            OrderWatch order) {
        talk = one.talks().get(number);
        this.number = number;
        this.isDisturbed = isDisturbed;
        mayBeRefused = one.limits().capKib() > 0;
        initiator = new Party(from);
        responder = new Party(to);
        int streams = 0;
        for (Op op : one.ops()) {
            streams = op.talk() == number ? Math.max(streams, op.stream() + 1) : streams;
        }
        needsTooMany = 2 * (Math.max(1, streams) - 1) >= one.limits().streams();
        if (one.limits().sharedReceives() > 0) {
            initiator.shared = sharedReceives(one, initiator, false);
            responder.shared = sharedReceives(one, responder, true);
        }
        for (int stream = 0; stream < Math.max(1, streams); stream++) {
            addStream(one, stream, oracle, order);
        }
    }

    private SharedReceives sharedReceives(SwarmCase one, Party party, boolean isFromInitiator) {
        int bytes = 0;
        for (Op op : one.ops()) {
            boolean comes = op.talk() == number && op.isFromInitiator() == isFromInitiator;
            bytes = comes && op.opcode().consumesReceive() ? Math.max(bytes, op.size()) : bytes;
        }
        return new SharedReceives(party.host.endpoint().regions(), one.limits().sharedReceives(), bytes);
    }

    private static App app(Party party, int streamId, int bytes, int depth, int messages) {
        SharedReceives shared = party.shared;
        Host host = party.host;
        return shared == null
                ? new App(host.endpoint().regions(), host.doorbells(), streamId, bytes, depth)
                : new App(host.endpoint().regions(), host.doorbells(), streamId, bytes, depth, shared.ring(), messages);
    }

    private void addStream(SwarmCase one, int stream, PlacementOracle oracle, OrderWatch order) {
        List<Op> ops = new ArrayList<>();
        int bytes = GUARD;
        boolean isFlawed = false;
        for (Op op : one.ops()) {
            if (op.talk() == number && op.stream() == stream) {
                ops.add(op);
                bytes += aligned(Lane.room(op)) + GUARD;
                isFlawed |= op.flaw() != Flaw.NONE;
            }
        }
        int depth = one.side().depth();
        // The initiator opens streams of even numbers.
        App left = app(initiator, 2 * stream, bytes, depth, ops.size());
        App right = app(responder, 2 * stream, bytes, depth, ops.size());
        if (one.options().rnrRetries() < StreamBinding.FOR_EVER) {
            left.rnr(one.options().rnrRetries(), RNR_DELAY_NS);
            right.rnr(one.options().rnrRetries(), RNR_DELAY_NS);
        }
        fill(one.seed(), left, 2 * stream);
        fill(one.seed(), right, 2 * stream + 1);
        String name = "connection " + number + ", stream " + 2 * stream;
        PlacementOracle.Watched atLeft = oracle.watch(name + ", a", left.memory());
        PlacementOracle.Watched atRight = oracle.watch(name + ", b", right.memory());
        boolean mayFail = isDisturbed || isFlawed || one.options().rnrRetries() < StreamBinding.FOR_EVER;
        int payload = one.side().payloadBytes();
        Lane there =
                new Lane(name + ", a to b", left, atLeft, right, atRight, responder.shared, payload, mayFail, order);
        Lane back =
                new Lane(name + ", b to a", right, atRight, left, atLeft, initiator.shared, payload, mayFail, order);
        int at = GUARD;
        for (Op op : ops) {
            (op.isFromInitiator() ? there : back).add(op, at);
            at += aligned(Lane.room(op)) + GUARD;
        }
        lanes.add(there);
        lanes.add(back);
        joins(initiator, left, there, back);
        joins(responder, right, back, there);
    }

    private static void joins(Party party, App app, Lane sends, Lane receives) {
        party.apps.add(app);
        party.sends.add(sends);
        party.receives.add(receives);
        party.seen.add(0);
    }

    private void fill(long seed, App app, int id) {
        SplitMix64 bytes = new SplitMix64(seed).split("bytes", ((long) number << 32) | id);
        for (int i = 0; i + Long.BYTES <= app.memory().capacity(); i += Long.BYTES) {
            app.memory().putLong(i, bytes.nextLong());
        }
    }

    private static int aligned(int bytes) {
        return (bytes + ALIGN - 1) & -ALIGN;
    }

    /** Its streams, each there and back. */
    List<Lane> lanes() {
        return lanes;
    }

    /** Asks for the connection; nothing is asked where a host is gone, or has no memory for it. */
    void begins() {
        if (initiator.host.isClosed()) {
            initiator.isDead = true;
            responder.isDead = true;
            return;
        }
        responder.host.endpoint().listen(SERVICES + number, responder);
        try {
            connects();
            if (needsTooMany) {
                throw new AssertionError("connection " + number + " has more streams than there may be");
            }
        } catch (IllegalStateException | IllegalArgumentException e) {
            // What is refused on the spot leaves nothing behind: the end of the case looks after that.
            if (e instanceof IllegalStateException ? !mayBeRefused : !needsTooMany) {
                throw e;
            }
            initiator.events.add("refused: " + e.getMessage());
            initiator.isDead = true;
            responder.isDead = true;
        }
    }

    private void connects() {
        initiator.connection = initiator
                .host
                .endpoint()
                .connect(
                        initiator.host.nowNs(),
                        responder.host.localAddress(),
                        SERVICES + number,
                        initiator.bindings(),
                        new byte[5],
                        initiator);
        initiator.isOpened = true;
        initiator.host.touched();
    }

    /** The applications post and poll; answers with a fault, or nothing. */
    String turn(long nowNs) {
        String fault = initiator.poll();
        if (fault.isEmpty()) {
            fault = responder.poll();
        }
        if (!fault.isEmpty()) {
            return fault;
        }
        boolean isRefused = mayBeRefused && (!initiator.isEstablished || !responder.isEstablished);
        if (!isDisturbed && !isEnding && !isRefused && (initiator.isClosed || responder.isClosed)) {
            return "connection " + number + " is gone, and nothing in the case says that it may";
        }
        initiator.posts(nowNs);
        responder.posts(nowNs);
        if (!isEnding && mustEnd(nowNs)) {
            isEnding = true;
            ends();
        }
        return "";
    }

    private boolean mustEnd(long nowNs) {
        boolean isDrained = initiator.isEstablished && responder.isEstablished;
        for (Lane lane : lanes) {
            isDrained &= lane.isDone();
        }
        boolean isCutShort = talk.end() != End.DRAINED && nowNs >= talk.endNs() && initiator.isEstablished;
        return isDrained || isCutShort;
    }

    // Hosts that go are the runner's affair; what is left is a close or an abort.
    private void ends() {
        Party who = talk.isByInitiator() ? initiator : responder;
        if (!who.isOpened || who.isOver() || who.host.isClosed()) {
            who = who == initiator ? responder : initiator;
        }
        if (!who.isOpened || who.isOver()) {
            return;
        }
        if (talk.end() == End.ABORTED) {
            who.host.endpoint().abort(who.host.nowNs(), who.connection);
        } else {
            who.host.endpoint().close(who.host.nowNs(), who.connection);
        }
        who.host.touched();
    }

    /** An operator's order about a path reaches what this host has of the connection. */
    void orders(Host host, boolean isParked, int path) {
        for (Party party : List.of(initiator, responder)) {
            if (party.host != host || party.isOver() || !party.isEstablished) {
                continue;
            }
            if (isParked) {
                host.endpoint().parkPath(host.nowNs(), party.connection, path);
            } else {
                host.endpoint().unparkPath(host.nowNs(), party.connection, path);
            }
        }
    }

    /** A host is gone without a word; what it had posted is gone with it. */
    void died(Host host) {
        initiator.isDead |= initiator.host == host;
        responder.isDead |= responder.host == host;
    }

    /** Whether there is nothing left to wait for. */
    boolean hasEnded() {
        return initiator.hasEnded() && responder.hasEnded();
    }

    /** When a post or the end is due; may be in the past. */
    long nextNs() {
        long next = isEnding ? Long.MAX_VALUE : talk.endNs();
        for (Lane lane : lanes) {
            next = Math.min(next, lane.nextNs());
        }
        for (Party party : List.of(initiator, responder)) {
            SharedReceives shared = party.shared;
            next = shared == null ? next : Math.min(next, shared.nextNs());
        }
        return next;
    }

    /** What is wrong with bytes of shared receives. */
    String sharedFault() {
        for (Party party : List.of(initiator, responder)) {
            String fault = party.shared == null ? "" : party.shared.fault();
            if (!fault.isEmpty()) {
                return "connection " + number + ": " + fault;
            }
        }
        return "";
    }

    /** What is left of it although both sides have ended; looked at last of all. */
    String leftovers() {
        for (int i = 0; i < lanes.size(); i++) {
            Party sender = i % 2 == 0 ? initiator : responder;
            if (!sender.isDead
                    && !(sender == initiator ? responder : initiator).isDead
                    && !lanes.get(i).hasAllCells()) {
                return "cells were not given back: " + lanes.get(i);
            }
        }
        for (Party party : List.of(initiator, responder)) {
            if (!party.isDead && party.shared != null && !party.shared.hasAllCells()) {
                return "connection " + number + ": cells were not given back: " + party.shared;
            }
        }
        return "";
    }

    @Override
    public String toString() {
        List<String> open = new ArrayList<>();
        for (Lane lane : lanes) {
            if (!lane.isDone()) {
                open.add(lane.toString());
            }
        }
        return "connection " + number + " " + talk + "\n    a " + initiator.events + "\n    b " + responder.events
                + "\n    not done: " + open;
    }
}
