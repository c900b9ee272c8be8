package io.metaroce.sim.roce;

import io.metaroce.datagram.Ecn;
import io.metaroce.sim.Addressing;
import io.metaroce.sim.Attachment;
import io.metaroce.sim.EdgeNode;
import io.metaroce.sim.EventTree;
import io.metaroce.sim.PacketPool;
import io.metaroce.sim.SimTime;
import io.metaroce.sim.World;
import java.util.ArrayList;
import java.util.List;

/**
 * A RoCEv2 host on one plane: queue pairs, of which that one sends next that may and has waited longest since it sent
 * last.
 */
public final class RoceHost implements EdgeNode {
    private static final int PORTS = 1024;

    private final World world;
    private final Attachment place;
    private final RoceConfig config;
    private final List<RoceSender> senders = new ArrayList<>();
    private final List<RoceReceiver> receivers = new ArrayList<>();
    private final EventTree turns = new EventTree(); // when each queue pair may send
    private final EventTree timers = new EventTree();
    private RoceListener listener = RoceListener.NONE;
    private long cnps;

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

    /** From now on it is told about messages that come and that have been acknowledged. */
    public void listener(RoceListener value) {
        listener = value;
    }

    /**
     * Opens a channel to another host.
     *
     * @param ports of each of its queue pairs the port it is sent from, 0..1023
     */
    public RoceChannel open(RoceHost peer, int... ports) {
        RoceChannel channel = new RoceChannel(this, peer, ports.length);
        for (int i = 0; i < ports.length; i++) {
            if (ports[i] < 0 || ports[i] >= PORTS) {
                throw new IllegalArgumentException("port " + ports[i] + " is outside 0.." + (PORTS - 1));
            }
            RoceSender sender = new RoceSender(
                    config, channel, i, senders.size(), peer.receivers.size(), Addressing.FIRST_SOURCE_PORT + ports[i]);
            RoceReceiver receiver = new RoceReceiver(peer.config, sender);
            senders.add(sender);
            turns.addLeaf();
            timers.addLeaf();
            peer.receivers.add(receiver);
            channel.join(i, sender, receiver);
        }
        return channel;
    }

    /** Notifications of congestion that have come. */
    public long notifications() {
        return cnps;
    }

    RoceListener listener() {
        return listener;
    }

    /** A queue pair has one message more. */
    void posted(RoceSender sender) {
        changed(sender);
        place.rekey();
    }

    @Override
    public void onArrival(long timePs, int packet) {
        PacketPool packets = world.packets();
        if (packets.isCorrupted(packet)) {
            packets.release(packet); // its ICRC does not match
            return;
        }
        int kind = RocePacket.kind(packets, packet);
        int number = RocePacket.queuePair(packets, packet);
        int psn = RocePacket.psn(packets, packet);
        if (kind == RocePacket.DATA) {
            answer(timePs, packet, receivers.get(number), psn);
        } else {
            RoceSender sender = senders.get(number);
            switch (kind) {
                case RocePacket.ACK -> sender.onAck(timePs, psn);
                case RocePacket.NAK -> sender.onNak(timePs, psn, RocePacket.sack(packets, packet));
                default -> {
                    cnps++;
                    sender.onCnp(timePs);
                }
            }
            changed(sender);
        }
        packets.release(packet);
    }

    @Override
    public void onWake(long timePs) {
        while (timers.firstKey() <= timePs) {
            RoceSender sender = senders.get(timers.first());
            sender.onTimeout(timePs);
            changed(sender);
        }
        if (turns.firstKey() <= timePs && place.port(0).hasRoom(timePs)) {
            RoceSender sender = senders.get(turns.first());
            send(timePs, sender);
            changed(sender);
        }
    }

    @Override
    public long nextWakePs() {
        long turn = turns.firstKey();
        return turn == SimTime.NEVER
                ? timers.firstKey()
                : Math.min(timers.firstKey(), Math.max(turn, place.port(0).freeAtPs()));
    }

    private void changed(RoceSender sender) {
        turns.set(sender.number(), sender.readyAtPs());
        timers.set(sender.number(), sender.timeoutAtPs());
    }

    private void send(long timePs, RoceSender sender) {
        int psn = sender.take(timePs);
        RoceMessages messages = sender.messages();
        int packet = RocePacket.data(
                world.packets(),
                sender.receiver(),
                psn,
                sender.round(),
                messages.payloadBytes(psn),
                messages.isFirst(psn),
                messages.isLast(psn));
        int to = sender.channel().to().place.node();
        world.packets().address(packet, place.node(), sender.sourcePort(), to, Addressing.SERVICE_PORT);
        place.port(0).send(timePs, packet);
    }

    private void answer(long timePs, int packet, RoceReceiver receiver, int psn) {
        PacketPool packets = world.packets();
        int sender = receiver.sender().number();
        if (config.dcqcn() != null
                && packets.ecn(packet) == Ecn.CE
                && receiver.tells(timePs, config.dcqcn().cnpPs())) {
            control(timePs, packet, RocePacket.CNP, sender, 0, 0);
        }
        int kind = receiver.onData(psn, RocePacket.round(packets, packet), RocePacket.isLast(packets, packet));
        if (kind != RoceReceiver.SILENT) {
            control(timePs, packet, kind, sender, receiver.expected(), psn);
        }
        receiver.tell(timePs);
    }

    private void control(long timePs, int data, int kind, int sender, int psn, int sack) {
        PacketPool packets = world.packets();
        int packet = RocePacket.control(packets, kind, sender, psn, sack);
        packets.address(packet, place.node(), packets.sourcePort(data), packets.source(data), Addressing.SERVICE_PORT);
        place.port(0).send(timePs, packet);
    }
}
