package io.metaroce.compliance.selftest;

import io.metaroce.compliance.lt.Wire.Arrival;
import io.metaroce.compliance.lt.codec.Packet;
import io.metaroce.compliance.spec.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** One way of being broken: what becomes of packets and of the agent's words on their way. Made anew for each trial. */
final class Fault {
    private final List<Function<Packet, List<Packet>>> leaving = new ArrayList<>();
    private final List<Function<Packet, List<Packet>>> entering = new ArrayList<>();
    private UnaryOperator<byte[]> rawEntering = bytes -> bytes;
    private BiFunction<Packet, Arrival, Arrival> routed = (packet, arrival) -> arrival;
    private @Nullable BiFunction<Packet, Memory, List<Packet>> answered;
    private Predicate<Packet> late = packet -> false;
    private long lateNs;
    private boolean isUnchecked;
    private BiFunction<String, ObjectNode, ObjectNode> answers = (command, answer) -> answer;
    private BiConsumer<String, ObjectNode> asked = (command, arguments) -> {};
    private UnaryOperator<List<JsonNode>> told = events -> events;
    private Predicate<String> ignored = command -> false;
    private final List<Object[]> settings = new ArrayList<>();
    private final Memory memory = new Memory();
    private int hits;

    /** What a fault may remember. */
    static final class Memory {
        private long rkey;
        private long address;
        private final List<Packet> seen = new ArrayList<>();

        /** Key of the newest region. */
        long rkey() {
            return rkey;
        }

        /** Address of the newest region. */
        long address() {
            return address;
        }

        /** Packets that were remembered. */
        List<Packet> seen() {
            return seen;
        }
    }

    /** How often it has changed something: its activation probe. */
    int hits() {
        return hits;
    }

    Memory memory() {
        return memory;
    }

    // ---- how it is described

    /** Packets that leave and fit are changed. */
    Fault out(Predicate<Packet> which, Consumer<Packet> change) {
        leaving.add(changing(which, change));
        return this;
    }

    private Function<Packet, List<Packet>> changing(Predicate<Packet> which, Consumer<Packet> change) {
        return packet -> {
            if (!which.test(packet)) {
                return List.of(packet);
            }
            Packet copy = packet.copy();
            change.accept(copy);
            hits += copy.says(packet) ? 0 : 1;
            return List.of(copy);
        };
    }

    /** Packets that leave and fit become others. */
    Fault outMany(Predicate<Packet> which, Function<Packet, List<Packet>> change) {
        leaving.add(packet -> {
            if (which.test(packet)) {
                hits++;
                return change.apply(packet);
            }
            return List.of(packet);
        });
        return this;
    }

    /** Packets that enter and fit are changed. */
    Fault in(Predicate<Packet> which, Consumer<Packet> change) {
        entering.add(changing(which, change));
        return this;
    }

    /** Packets that enter and fit are ignored. */
    Fault deafTo(Predicate<Packet> which) {
        entering.add(packet -> {
            boolean isIgnored = which.test(packet);
            hits += isIgnored ? 1 : 0;
            return isIgnored ? List.of() : List.of(packet);
        });
        return this;
    }

    /** Bytes that enter are changed before anybody reads them. */
    Fault raw(UnaryOperator<byte[]> change) {
        rawEntering = bytes -> {
            byte[] changed = change.apply(bytes.clone());
            hits += java.util.Arrays.equals(changed, bytes) ? 0 : 1;
            return changed;
        };
        return this;
    }

    /** Trailers are not looked at. */
    Fault unchecked() {
        isUnchecked = true;
        return this;
    }

    boolean isUnchecked() {
        hits += isUnchecked ? 1 : 0;
        return isUnchecked;
    }

    /** Ports, planes and classes of packets that leave. */
    Fault route(Predicate<Packet> which, UnaryOperator<Arrival> change) {
        routed = (packet, arrival) -> {
            if (!which.test(packet)) {
                return arrival;
            }
            hits++;
            return change.apply(arrival);
        };
        return this;
    }

    /** Packets that leave and fit do so later. */
    Fault delay(long ns, Predicate<Packet> which) {
        late = which;
        lateNs = ns;
        return this;
    }

    /** What enters draws packets that should not be. */
    Fault answer(BiFunction<Packet, Memory, List<Packet>> with) {
        answered = with;
        return this;
    }

    /** The agent's answers are changed. */
    Fault lie(String command, Consumer<ObjectNode> change) {
        BiFunction<String, ObjectNode, ObjectNode> before = answers;
        answers = (name, answer) -> {
            ObjectNode given = before.apply(name, answer);
            if (name.equals(command)) {
                hits++;
                change.accept(given);
            }
            return given;
        };
        return this;
    }

    /** The agent hears something else than it was asked. */
    Fault ask(String command, Consumer<ObjectNode> change) {
        asked = (name, arguments) -> {
            if (name.equals(command)) {
                hits++;
                change.accept(arguments);
            }
        };
        return this;
    }

    /** The agent's events are changed. */
    Fault events(UnaryOperator<List<JsonNode>> change) {
        told = events -> {
            List<JsonNode> changed = change.apply(events);
            hits += changed.equals(events) ? 0 : 1;
            return changed;
        };
        return this;
    }

    /** Commands the agent says yes to and does not carry out. */
    Fault ignore(String command) {
        ignored = name -> {
            boolean isIt = name.equals(command);
            hits += isIt ? 1 : 0;
            return isIt;
        };
        return this;
    }

    /** A setting of the engine, whatever the test sets. */
    Fault set(String name, long value) {
        settings.add(new Object[] {name, value});
        return this;
    }

    // ---- how it is used

    List<Packet> leaving(Packet packet) {
        return through(leaving, packet);
    }

    List<Packet> entering(Packet packet) {
        return through(entering, packet);
    }

    private static List<Packet> through(List<Function<Packet, List<Packet>>> steps, Packet packet) {
        List<Packet> all = List.of(packet);
        for (Function<Packet, List<Packet>> step : steps) {
            List<Packet> next = new ArrayList<>();
            all.forEach(each -> next.addAll(step.apply(each)));
            all = next;
        }
        return all;
    }

    byte[] rawEntering(byte[] bytes) {
        return rawEntering.apply(bytes);
    }

    Arrival routed(Packet packet, Arrival arrival) {
        return routed.apply(packet, arrival);
    }

    List<Packet> answers(Packet packet) {
        List<Packet> extra = answered == null ? List.of() : answered.apply(packet, memory);
        hits += extra.size();
        return extra;
    }

    long lateNs(Packet packet) {
        if (late.test(packet)) {
            hits++;
            return lateNs;
        }
        return 0;
    }

    void asked(String command, ObjectNode arguments) {
        asked.accept(command, arguments);
    }

    boolean isIgnored(String command) {
        return ignored.test(command);
    }

    ObjectNode answer(String command, ObjectNode answer) {
        if (command.equals("mr_reg")) {
            memory.rkey = answer.path("rkey").asLong();
            memory.address = answer.path("va").asLong();
        }
        return answers.apply(command, answer);
    }

    List<JsonNode> told(List<JsonNode> events) {
        return told.apply(events);
    }

    /** The settings, as arguments of {@code cfg}; null when there are none. */
    @Nullable
    ObjectNode settings() {
        if (settings.isEmpty()) {
            return null;
        }
        ObjectNode arguments = Json.object();
        ObjectNode set = arguments.putObject("set");
        settings.forEach(pair -> set.put((String) pair[0], (Long) pair[1]));
        hits++;
        return arguments;
    }
}
