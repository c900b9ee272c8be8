package io.metaroce.sim.roce;

import io.metaroce.datagram.Ecn;
import io.metaroce.sim.Addressing;
import io.metaroce.sim.Attachment;
import io.metaroce.sim.EdgeNode;
import io.metaroce.sim.PacketPool;
import io.metaroce.sim.SimTime;
import io.metaroce.sim.World;
import java.util.ArrayList;
import java.util.List;

/**
 * A RoCEv2 host on one plane: queue pairs with one message each, served in turn. A queue pair has one source port and
 * thereby one way through the fabric.
 */
public final class RoceHost implements EdgeNode {
    private static final int PORTS = 1024;

    private final World world;
    private final Attachment place;
    private final RoceConfig config;
    private final List<RoceSender> senders = new ArrayList<>();
    private final List<Peer> peers = new ArrayList<>(); // of the sender with the same number
    private final List<RoceReceiver> receivers = new ArrayList<>();
    private int turn;
    private long cnps;

    /** Where the other end of a queue pair is. */
    private record Peer(RoceHost host, int receiver, int sourcePort) {}

    private RoceHost(Attachment place, RoceConfig config) {
        this.world = place.world();
        this.place = place;
        this.config = config;
    }

    /** Puts such a host on a place of the fabric. */
    public static RoceHost attach(Attachment place, RoceConfig config) {
        RoceHost host = new RoceHost(place, config);
        place.attach(host);
        return host;
    }

    /**
     * Sends a message over a new queue pair from now on.
     *
     * @param port 0..1023: which of the ports it is sent from
     * @return number of the queue pair, for the questions below
     */
    public int sends(RoceHost to, long bytes, int port) {
        if (bytes < 1 || port < 0 || port >= PORTS) {
            throw new IllegalArgumentException(bytes + " bytes from port " + port + ": bytes must be positive, and the"
                    + " port in 0.." + (PORTS - 1));
        }
        to.receivers.add(new RoceReceiver(config));
        senders.add(new RoceSender(config, bytes));
        peers.add(new Peer(to, to.receivers.size() - 1, Addressing.FIRST_SOURCE_PORT + port));
        place.rekey();
        return senders.size() - 1;
    }

    /** When the last byte of a queue pair was acknowledged; {@link SimTime#NEVER} if it was not yet. */
    public long doneAtPs(int queuePair) {
        return senders.get(queuePair).doneAtPs();
    }

    /** Data packets a queue pair has sent, those sent again included. */
    public long sentPackets(int queuePair) {
        return senders.get(queuePair).sentPackets();
    }

    /** Packets below which everything has arrived. */
    public long arrivedPackets(int queuePair) {
        Peer peer = peers.get(queuePair);
        return peer.host().receivers.get(peer.receiver()).expected();
    }

    /** Notifications of congestion that have come. */
    public long notifications() {
        return cnps;
    }

    @Override
    public void onArrival(long timePs, int packet) {
        PacketPool packets = world.packets();
        int kind = RocePacket.kind(packets, packet);
        int number = RocePacket.queuePair(packets, packet);
        int psn = RocePacket.psn(packets, packet);
        switch (kind) {
            case RocePacket.ACK -> senders.get(number).onAck(timePs, psn);
            case RocePacket.NAK -> senders.get(number).onNak(timePs, psn, RocePacket.sack(packets, packet));
            case RocePacket.CNP -> {
                cnps++;
                senders.get(number).onCnp(timePs);
            }
            default -> answer(timePs, packet, number, psn);
        }
        packets.release(packet);
    }

    @Override
    public void onWake(long timePs) {
        for (int i = 0; i < senders.size(); i++) {
            if (senders.get(i).timeoutAtPs() <= timePs) {
                senders.get(i).onTimeout(timePs);
            }
        }
        if (!place.port(0).hasRoom(timePs)) {
            return;
        }
        for (int i = 0; i < senders.size(); i++) {
            int number = (turn + i) % senders.size();
            if (senders.get(number).readyAtPs() <= timePs) {
                turn = number + 1;
                send(timePs, number);
                return;
            }
        }
    }

    @Override
    public long nextWakePs() {
        long ready = SimTime.NEVER;
        long timeout = SimTime.NEVER;
        for (int i = 0; i < senders.size(); i++) {
            ready = Math.min(ready, senders.get(i).readyAtPs());
            timeout = Math.min(timeout, senders.get(i).timeoutAtPs());
        }
        return ready == SimTime.NEVER
                ? timeout
                : Math.min(timeout, Math.max(ready, place.port(0).freeAtPs()));
    }

    private void send(long timePs, int number) {
        RoceSender sender = senders.get(number);
        Peer peer = peers.get(number);
        int psn = sender.take(timePs);
        int packet = RocePacket.data(
                world.packets(),
                // Who receives must find both its own side and, to answer, the sender's.
                (number << 16) | peer.receiver(),
                psn,
                sender.round(),
                sender.payloadBytes(psn),
                sender.isLast(psn));
        world.packets()
                .address(
                        packet,
                        place.node(),
                        peer.sourcePort(),
                        peer.host().place.node(),
                        Addressing.SERVICE_PORT);
        place.port(0).send(timePs, packet);
    }

    private void answer(long timePs, int packet, int numbers, int psn) {
        PacketPool packets = world.packets();
        RoceReceiver receiver = receivers.get(numbers & 0xFFFF);
        int sender = numbers >>> 16;
        if (config.dcqcn() != null
                && packets.ecn(packet) == Ecn.CE
                && receiver.tells(timePs, config.dcqcn().cnpPs())) {
            control(timePs, packet, RocePacket.CNP, sender, 0, 0);
        }
        int kind = receiver.onData(psn, RocePacket.round(packets, packet), RocePacket.isLast(packets, packet));
        if (kind != RoceReceiver.SILENT) {
            control(timePs, packet, kind, sender, receiver.expected(), psn);
        }
    }

    private void control(long timePs, int data, int kind, int sender, int psn, int sack) {
        PacketPool packets = world.packets();
        int packet = RocePacket.control(packets, kind, sender, psn, sack);
        packets.address(packet, place.node(), packets.sourcePort(data), packets.source(data), Addressing.SERVICE_PORT);
        place.port(0).send(timePs, packet);
    }
}
