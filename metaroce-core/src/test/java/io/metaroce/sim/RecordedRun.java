package io.metaroce.sim;

import io.metaroce.datagram.Datagram;
import io.metaroce.datagram.Ecn;
import io.metaroce.datagram.TrafficClass;
import io.metaroce.wire.ConnectParameters;
import io.metaroce.wire.Crc32cTrailer;
import io.metaroce.wire.Opcode;
import io.metaroce.wire.PacketView;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Real traffic, written down so that it can be shown to a fresh checker with one thing changed. */
final class RecordedRun implements PacketObserver {
    private final World world;
    private final List<Event> events = new ArrayList<>();
    private final int[] seeds = new int[2]; // of packets to node 0 and 1

    /** A packet that was sent or delivered. */
    static final class Event {
        final long timePs;
        final int node;
        final boolean isDelivery;
        byte[] bytes;
        final int plane;
        final int source;
        int sourcePort;
        int destination;
        int destinationPort;
        TrafficClass trafficClass;

        private Event(World world, long timePs, int node, int packet, boolean isDelivery) {
            PacketPool packets = world.packets();
            this.timePs = timePs;
            this.node = node;
            this.isDelivery = isDelivery;
            bytes = new byte[packets.length(packet)];
            packets.bytes(packet).get(packets.offset(packet), bytes);
            plane = packets.plane(packet);
            source = packets.source(packet);
            sourcePort = packets.sourcePort(packet);
            destination = packets.destination(packet);
            destinationPort = packets.destinationPort(packet);
            trafficClass = packets.trafficClass(packet);
        }

        private Event(Event other, long timePs) {
            this.timePs = timePs;
            node = other.node;
            isDelivery = other.isDelivery;
            bytes = other.bytes.clone();
            plane = other.plane;
            source = other.source;
            sourcePort = other.sourcePort;
            destination = other.destination;
            destinationPort = other.destinationPort;
            trafficClass = other.trafficClass;
        }

        Event copy() {
            return new Event(this, timePs);
        }

        int opcode() {
            return bytes[1] & 0xFF;
        }

        boolean isSlot() {
            return Opcode.isSlot(opcode());
        }

        boolean isResend() {
            return isSlot() && (bytes[0] & 0x4) != 0;
        }

        ByteBuffer buffer() {
            return ByteBuffer.wrap(bytes);
        }

        PacketView view() {
            PacketView view = new PacketView();
            Datagram datagram = new Datagram().set(buffer(), 0, bytes.length, plane, Ecn.ECT_0, () -> {
                throw new IllegalStateException();
            });
            if (view.open(datagram) != null || view.parse() != null) {
                throw new IllegalStateException("a recorded packet cannot be read");
            }
            return view;
        }
    }

    private RecordedRun(World world) {
        this.world = world;
    }

    /** The traffic of a transfer. */
    static RecordedRun of(Transfer.Job job) {
        Transfer transfer = new Transfer(job);
        RecordedRun run = new RecordedRun(transfer.world);
        transfer.world.observe(run);
        transfer.run();
        for (Event event : run.events) {
            boolean isTelling = event.opcode() == Opcode.CONN_REQ || event.opcode() == Opcode.CONN_ACCEPT;
            if (isTelling) {
                PacketView view = event.view();
                ConnectParameters parameters = new ConnectParameters();
                if (parameters.read(view.buffer(), view.tlvOffset(), view.tlvEnd()) == null) {
                    run.seeds[event.source] = parameters.crcSeed();
                }
            }
        }
        return run;
    }

    List<Event> events() {
        return events;
    }

    /** What a change of event {@code index} does to a packet; the trailer is made right again afterwards. */
    interface Change {
        void apply(Event event);
    }

    /** The violation that a checker finds in the traffic with one event changed; empty when it finds none. */
    String checkedWith(int index, Change change) {
        Event changed = events.get(index).copy();
        change.apply(changed);
        seal(changed);
        return checked(index, changed);
    }

    /** The violation that a checker finds in the traffic with one event replaced. */
    String checked(int index, Event replacement) {
        List<Event> all = new ArrayList<>(events);
        all.set(index, replacement);
        return checked(all);
    }

    /** The violation that a checker finds in some traffic. */
    String checked(List<Event> all) {
        World fresh = World.ofSeed(0);
        Topology.pair(fresh, Topology.Pair.plain());
        Invariants invariants = Invariants.watch(fresh);
        PacketPool packets = fresh.packets();
        try {
            for (Event event : all) {
                int packet = packets.take(event.bytes.length);
                packets.bytes(packet).put(packets.offset(packet), event.bytes);
                packets.plane(packet, event.plane);
                packets.address(packet, event.source, event.sourcePort, event.destination, event.destinationPort);
                packets.trafficClass(packet, event.trafficClass);
                packets.sentPs(packet, event.timePs);
                if (event.isDelivery) {
                    invariants.delivered(event.timePs, event.node, packet);
                } else {
                    invariants.sent(event.timePs, event.node, packet);
                }
                packets.release(packet);
            }
        } catch (InvariantViolation violation) {
            return violation.id();
        }
        return "";
    }

    /** Makes the trailer right. */
    void seal(Event event) {
        int end = event.bytes.length - Crc32cTrailer.LENGTH;
        int seed = Opcode.usesSeedZero(event.opcode()) ? 0 : seeds[1 - event.source];
        event.buffer().putInt(end, new Crc32cTrailer().of(seed, event.buffer(), 0, end, event.buffer(), 0, 0));
    }

    @Override
    public void sent(long timePs, int node, int packet) {
        events.add(new Event(world, timePs, node, packet, false));
    }

    @Override
    public void delivered(long timePs, int node, int packet) {
        events.add(new Event(world, timePs, node, packet, true));
    }
}
