package io.metaroce.compliance.selftest;

import io.metaroce.compliance.lt.Wire;
import io.metaroce.compliance.lt.codec.Codec;
import io.metaroce.compliance.lt.codec.Fields;
import io.metaroce.compliance.lt.codec.Packet;
import io.metaroce.compliance.run.Target;
import io.metaroce.compliance.utp.Agent;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** An implementation with a fault: a good one whose packets and whose agent's words pass through it. */
final class FaultyTarget implements Target {
    private final Target good;
    private final Codec codec;
    private final Supplier<Fault> faults;
    private int hits;

    FaultyTarget(Target good, Codec codec, Supplier<Fault> faults) {
        this.good = good;
        this.codec = codec;
        this.faults = faults;
    }

    /** How often the faults have changed something. */
    int hits() {
        return hits;
    }

    @Override
    public String name() {
        return good.name();
    }

    @Override
    public JsonNode about() {
        return good.about();
    }

    @Override
    public String clock() {
        return good.clock();
    }

    @Override
    public Session open(long seed, int planes) {
        Session session = good.open(seed, planes);
        Fault fault = faults.get();
        ObjectNode settings = fault.settings();
        if (settings != null) {
            session.agent().call("cfg", settings);
        }
        return new Session(new FaultyWire(session.wire(), fault), new FaultyAgent(session.agent(), fault));
    }

    /** Packets pass through the fault. */
    private final class FaultyWire implements Wire {
        private final Wire inner;
        private final Fault fault;
        private final Map<Integer, Integer> seeds = new HashMap<>();
        private final List<Arrival> ready = new ArrayList<>();

        FaultyWire(Wire inner, Fault fault) {
            this.inner = inner;
            this.fault = fault;
        }

        @Override
        public long nowNs() {
            return inner.nowNs();
        }

        @Override
        public int planes() {
            return inner.planes();
        }

        @Override
        public String testerAddress(int plane) {
            return inner.testerAddress(plane);
        }

        @Override
        public void iutAddresses(List<String> addresses) {
            inner.iutAddresses(addresses);
        }

        private int seedOf(byte[] bytes) {
            int to = bytes.length < 8
                    ? 0
                    : ((bytes[4] & 0xFF) << 24)
                            | ((bytes[5] & 0xFF) << 16)
                            | ((bytes[6] & 0xFF) << 8)
                            | (bytes[7] & 0xFF);
            return seeds.getOrDefault(to, 0);
        }

        private void learn(Packet packet) {
            Fields seed = packet.is("CONN_REQ") || packet.is("CONN_ACCEPT") ? codec.option(packet, "CRC_SEED") : null;
            if (seed != null) {
                int number = packet.int32(packet.is("CONN_REQ") ? "init_conn_id" : "resp_conn_id");
                seeds.put(number, seed.int32("crc_seed"));
            }
        }

        @Override
        public void send(int plane, int sourcePort, int ecn, byte[] given) {
            byte[] bytes = fault.rawEntering(given);
            boolean isSpoiled =
                    "integrity".equals(codec.decode(bytes, seedOf(bytes)).drop());
            if (isSpoiled && bytes.length > 20 && fault.isUnchecked()) {
                bytes = Codec.sealed(bytes, seedOf(bytes));
            }
            Codec.Decoded decoded = codec.decode(bytes, seedOf(bytes));
            Packet packet = decoded.packet();
            if (packet == null || (decoded.drop() != null && !decoded.drop().equals("tlv_critical"))) {
                inner.send(plane, sourcePort, ecn, bytes);
                return;
            }
            learn(packet);
            for (Packet each : fault.entering(packet)) {
                inner.send(plane, sourcePort, ecn, each.says(packet) ? bytes : codec.encode(each, seedOf(bytes)));
            }
            for (Packet extra : fault.answers(packet)) {
                byte[] out = codec.encode(extra, seeds.getOrDefault(extra.int32("dst_conn_id"), 0));
                ready.add(new Arrival(nowNs() + 10_000, plane, 49_741, ECT_0, 1, out));
            }
        }

        @Override
        public @Nullable Arrival next(long deadlineNs) {
            if (!ready.isEmpty() && ready.get(0).atNs() <= nowNs()) {
                return ready.remove(0);
            }
            long stop = ready.isEmpty()
                    ? deadlineNs
                    : Math.min(deadlineNs, ready.get(0).atNs());
            Arrival arrival = inner.next(stop);
            hits = fault.hits();
            if (arrival == null) {
                return null;
            }
            Codec.Decoded decoded = codec.decode(arrival.bytes(), seedOf(arrival.bytes()));
            if (decoded.packet() == null || decoded.drop() != null) {
                return arrival;
            }
            Packet packet = decoded.whole();
            learn(packet);
            for (Packet each : fault.leaving(packet)) {
                byte[] bytes = each == packet ? arrival.bytes() : codec.encode(each, seedOf(arrival.bytes()));
                Arrival changed = new Arrival(
                        arrival.atNs() + fault.lateNs(each),
                        arrival.plane(),
                        arrival.sourcePort(),
                        arrival.ecn(),
                        arrival.dscp(),
                        bytes);
                ready.add(fault.routed(each, changed));
            }
            ready.sort(Comparator.comparingLong(Arrival::atNs));
            return !ready.isEmpty() && ready.get(0).atNs() <= nowNs() ? ready.remove(0) : null;
        }

        @Override
        public void close() {
            hits = fault.hits();
            inner.close();
        }
    }

    /** The agent's words pass through the fault. */
    private static final class FaultyAgent implements Agent {
        private final Agent inner;
        private final Fault fault;

        FaultyAgent(Agent inner, Fault fault) {
            this.inner = inner;
            this.fault = fault;
        }

        @Override
        public ObjectNode call(String command, ObjectNode arguments) {
            if (fault.isIgnored(command)) {
                return io.metaroce.compliance.spec.Json.object();
            }
            fault.asked(command, arguments);
            return fault.answer(command, inner.call(command, arguments));
        }

        @Override
        public List<JsonNode> events() {
            return fault.told(inner.events());
        }

        @Override
        public void close() {
            inner.close();
        }
    }
}
