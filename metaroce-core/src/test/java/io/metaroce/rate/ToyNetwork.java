package io.metaroce.rate;

import io.metaroce.num.SplitMix64;
import io.metaroce.param.RateConfig;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * A closed loop small enough to read: {@code n} backlogged senders, one receiver, one queue before it that marks on a
 * ramp. Lost packets are found by the next packet of their path, and stand for nothing but themselves: the backlog has
 * no end, so a resend is one more packet.
 */
final class ToyNetwork {
    static final int PAYLOAD = 4096;
    static final int COST = PAYLOAD + CongestionControl.PACKET_OVERHEAD_BYTES;
    private static final long SECOND_NS = 1_000_000_000L;
    private static final long BACKLOG = 1L << 40;
    private static final long TIMEOUT_ROUND_TRIPS = 8;

    /** What the world looks like. */
    record World(
            RateConfig rate,
            int senders,
            int paths,
            long bottleneckBytesPerSecond,
            long rttNs,
            long bufferBytes,
            int lossPerMille,
            int ackEvery,
            long ackDelayNs,
            Marking marking) {}

    /** Whether the queue marks. */
    enum Marking {
        NONE,
        RAMP
    }

    private record Event(long atNs, long order, Runnable action) {}

    private final World world;
    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingLong(Event::atNs).thenComparingLong(Event::order));
    private final SplitMix64 chance = new SplitMix64(42);
    private final FairShare fairShare;
    final List<Sender> senders = new ArrayList<>();
    private long nowNs;
    private long order;
    private long busyUntilNs;
    private long queueBytesMax;
    private long dropped;
    private long sent;
    private long hash = 17;

    ToyNetwork(World world) {
        this.world = world;
        fairShare = new FairShare(world.rate());
        for (int i = 0; i < world.senders(); i++) {
            senders.add(new Sender());
        }
    }

    void runUntil(long untilNs) {
        while (!events.isEmpty() && events.peek().atNs() <= untilNs) {
            Event event = events.poll();
            nowNs = event.atNs();
            event.action().run();
        }
        nowNs = untilNs;
    }

    void start(int from, int to) {
        for (int i = from; i < to; i++) {
            senders.get(i).transmit();
        }
    }

    /** Forgets what was delivered, dropped and queued so far. */
    void forget() {
        queueBytesMax = 0;
        dropped = 0;
        sent = 0;
        senders.forEach(s -> s.deliveredBytes = 0);
    }

    long deliveredBytes() {
        return senders.stream().mapToLong(s -> s.deliveredBytes).sum();
    }

    long queueBytesMax() {
        return queueBytesMax;
    }

    long queueBytes() {
        return Math.max(busyUntilNs - nowNs, 0) * world.bottleneckBytesPerSecond() / SECOND_NS;
    }

    long droppedPackets() {
        return dropped;
    }

    long sentPackets() {
        return sent;
    }

    /** Changes with every send and every window. */
    long hash() {
        return hash;
    }

    /** 1000 when all senders get the same, 1000/n when one gets everything. */
    long fairnessPerMille(int from, int to) {
        long sum = 0;
        long squares = 0;
        for (int i = from; i < to; i++) {
            long packets = senders.get(i).deliveredBytes / COST;
            sum += packets;
            squares += packets * packets;
        }
        return squares == 0 ? 0 : 1000 * sum * sum / ((to - from) * squares);
    }

    private void at(long atNs, Runnable action) {
        events.add(new Event(atNs, order++, action));
    }

    /** One packet enters the queue before the receiver. */
    private void enqueue(Sender sender, Packet packet) {
        long backlog = queueBytes();
        queueBytesMax = Math.max(queueBytesMax, backlog);
        boolean unlucky = chance.nextInt(1000) < world.lossPerMille();
        if (unlucky || backlog + COST > world.bufferBytes()) {
            dropped++;
            return;
        }
        long bdp = world.bottleneckBytesPerSecond() * world.rttNs() / SECOND_NS;
        long overPerMille = bdp == 0 ? 0 : 1000 * (backlog - bdp / 5) / Math.max(bdp * 3 / 5, 1);
        packet.marked = world.marking() == Marking.RAMP && chance.nextInt(1000) < overPerMille;
        long serviceNs = COST * SECOND_NS / world.bottleneckBytesPerSecond();
        busyUntilNs = Math.max(busyUntilNs, nowNs) + serviceNs;
        at(busyUntilNs + world.rttNs() / 2, () -> sender.arrives(packet));
    }

    private static final class Packet {
        final int path;
        final long sentNs;
        boolean marked;
        boolean forgotten;
        long heldNs; // by the receiver before it was acknowledged

        Packet(int path, long sentNs) {
            this.path = path;
            this.sentNs = sentNs;
        }
    }

    /** What one path of one sender has under way, and its round-trip times. */
    private static final class Lane {
        final ArrayList<Packet> flying = new ArrayList<>();
        long srttNs;
        long baseNs = Long.MAX_VALUE;
        long roundMinNs = Long.MAX_VALUE;
        long roundStartNs;

        void sample(long now, long rttNs) {
            srttNs += (rttNs - srttNs) / 8;
            baseNs = Math.min(baseNs, rttNs);
            if (now - roundStartNs > srttNs) {
                roundStartNs = now;
                roundMinNs = Long.MAX_VALUE;
            }
            roundMinNs = Math.min(roundMinNs, rttNs);
        }
    }

    /** A sender, and what the receiver keeps of it. */
    final class Sender {
        final CongestionControl control = new CongestionControl(world.rate(), world.paths(), PAYLOAD);
        private final Lane[] lanes = new Lane[world.paths()];
        private final InboundShare share = fairShare.join(1, 0);
        private final RateSignal signal = new RateSignal();
        private List<Packet> unacknowledged = new ArrayList<>();
        private int turn;
        private boolean waking;
        private long lastHeardNs;
        private boolean watching;
        private int stamp;
        long deliveredBytes;

        Sender() {
            control.startWith(world.rttNs(), Long.MAX_VALUE);
            for (int i = 0; i < lanes.length; i++) {
                lanes[i] = new Lane();
                lanes[i].srttNs = world.rttNs();
                control.activate(i);
            }
        }

        void transmit() {
            while (control.connectionHasRoom(nowNs, COST)) {
                int path = choose();
                if (path < 0) {
                    return;
                }
                if (!control.paceAllows(nowNs)) {
                    wakeAt(control.nextDepartureNs());
                    return;
                }
                Packet packet = new Packet(path, nowNs);
                lanes[path].flying.add(packet);
                control.onSent(nowNs, path, COST);
                sent++;
                hash = hash * 31 + nowNs + path + control.windowBytes() + control.rateBytesPerSecond();
                enqueue(this, packet);
                watch();
            }
        }

        /** Declares everything lost after a long silence. */
        private void watch() {
            if (!watching) {
                watching = true;
                long patienceNs = Math.max(
                        TIMEOUT_ROUND_TRIPS * lanes[0].srttNs, 20 * COST * SECOND_NS / control.rateBytesPerSecond());
                at(nowNs + patienceNs, () -> {
                    watching = false;
                    if (nowNs - lastHeardNs >= patienceNs) {
                        timeOut();
                        transmit();
                    } else if (control.inFlightBytes() > 0) {
                        watch();
                    }
                });
            }
        }

        private void timeOut() {
            for (int path = 0; path < lanes.length; path++) {
                if (!lanes[path].flying.isEmpty()) {
                    lanes[path].flying.forEach(packet -> packet.forgotten = true);
                    for (Packet lost : lanes[path].flying) {
                        control.onLeft(lost.path, COST);
                    }
                    lanes[path].flying.clear();
                    control.onTimeout(nowNs, path);
                }
            }
        }

        private void wakeAt(long atNs) {
            if (!waking) {
                waking = true;
                at(atNs, () -> {
                    waking = false;
                    transmit();
                });
            }
        }

        private int choose() {
            int hot = -1;
            for (int i = 0; i < lanes.length; i++) {
                int path = (turn + i) % lanes.length;
                if (control.pathHasRoom(path, COST)) {
                    if (!control.isHot(nowNs, path)) {
                        turn = path + 1;
                        return path;
                    }
                    hot = hot < 0 || control.hotUntilNs(path) < control.hotUntilNs(hot) ? path : hot;
                }
            }
            return hot;
        }

        private void arrives(Packet packet) {
            deliveredBytes += COST;
            packet.heldNs = -nowNs;
            share.onArrival(nowNs, COST, 0);
            share.onDemand(nowNs, BACKLOG, stamp++);
            unacknowledged.add(packet);
            if (unacknowledged.size() >= world.ackEvery()) {
                acknowledge();
            } else if (unacknowledged.size() == 1) {
                List<Packet> batch = unacknowledged;
                at(nowNs + world.ackDelayNs(), () -> {
                    if (batch == unacknowledged) {
                        acknowledge();
                    }
                });
            }
        }

        private void acknowledge() {
            List<Packet> batch = unacknowledged;
            batch.forEach(packet -> packet.heldNs += nowNs);
            unacknowledged = new ArrayList<>();
            int hint = share.hint(nowNs, world.rttNs());
            at(nowNs + world.rttNs() / 2, () -> acknowledged(batch, hint));
        }

        private void acknowledged(List<Packet> batch, int hint) {
            for (int path = 0; path < lanes.length; path++) {
                apply(path, batch);
            }
            lastHeardNs = nowNs;
            control.onHint(nowNs, hint);
            transmit();
        }

        private void apply(int path, List<Packet> batch) {
            Lane lane = lanes[path];
            signal.reset();
            int received = 0;
            int marked = 0;
            long rttNs = 0;
            for (Packet packet : batch) {
                if (packet.path == path && !packet.forgotten) {
                    while (lane.flying.get(0) != packet) {
                        lane.flying.remove(0);
                        control.onLeft(path, COST);
                        signal.lost(COST);
                    }
                    lane.flying.remove(0);
                    control.onLeft(path, COST);
                    signal.acked(COST);
                    received++;
                    marked += packet.marked ? 1 : 0;
                    rttNs = nowNs - packet.sentNs - packet.heldNs;
                }
            }
            if (received > 0) {
                lane.sample(nowNs, rttNs);
                signal.marks(received, marked).rtt(rttNs, lane.srttNs, lane.baseNs, lane.roundMinNs);
                control.onSignal(nowNs, path, signal);
            }
        }
    }
}
