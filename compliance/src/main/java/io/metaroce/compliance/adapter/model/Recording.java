package io.metaroce.compliance.adapter.model;

import io.metaroce.datagram.Address;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A model that remembers what it was fed. Snapshots and forks are replays: nothing of the engine is ever copied, and a
 * copy cannot be wrong. The memory is bounded; a model that was fed more runs on and cannot be saved any more.
 */
public final class Recording {
    /** Bytes of a route in a frame. */
    public static final int ROUTE_BYTES = 24;

    /** Inputs remembered unless {@code inputs} says otherwise. */
    private static final int INPUTS = 1 << 16;

    private static final int INPUTS_MAX = 1 << 22;
    private static final long BYTES_MAX = 256L << 20;

    private final Model model;
    private final int inputsMax;
    private final List<Input> inputs;
    private long bytes;
    private boolean isForgotten;

    /**
     * Where a model stood.
     *
     * @param setup what it was made with
     * @param inputs what it was fed
     */
    public record Snapshot(ModelSetup setup, int inputsMax, List<?> inputs) {}

    /** A new model. */
    public Recording(ModelSetup setup, JsonNode arguments) {
        this(setup, (int) Arguments.number(arguments, "inputs", 0, INPUTS_MAX, INPUTS), List.of());
    }

    private Recording(ModelSetup setup, int inputsMax, List<Input> replayed) {
        model = new Model(setup);
        this.inputsMax = inputsMax;
        inputs = new ArrayList<>(replayed);
        for (Input input : replayed) {
            input.into(model);
            bytes += input.bytes();
        }
    }

    /** A model that stands where another one stood. */
    public static Recording of(Snapshot snapshot) {
        List<Input> replayed = new ArrayList<>();
        for (Object input : snapshot.inputs()) {
            replayed.add((Input) input);
        }
        return new Recording(snapshot.setup(), snapshot.inputsMax(), replayed);
    }

    /** Where it stands. */
    public Snapshot snapshot() {
        if (isForgotten) {
            throw new Refused(
                    "E_LIMIT",
                    "fed more than " + inputsMax + " inputs or " + BYTES_MAX
                            + " bytes, so how it came here is forgotten; raise inputs of new");
        }
        return new Snapshot(model.setup(), inputsMax, List.copyOf(inputs));
    }

    /** The model itself, to look at. */
    public Model model() {
        return model;
    }

    private void remember(Input input) {
        bytes += input.bytes();
        if (inputs.size() >= inputsMax || bytes > BYTES_MAX) {
            isForgotten = true;
            inputs.clear();
        }
        if (!isForgotten) {
            inputs.add(input);
        }
    }

    /** A datagram arrives; where from is among the arguments of {@code rx}. */
    public void receive(long tNs, JsonNode arguments, byte[] datagram) {
        Address from = ModelSetup.address(Arguments.text(arguments, "from", ""));
        int usual = arguments.has("to") ? model.plane(ModelSetup.address(Arguments.text(arguments, "to", ""))) : 0;
        int plane = (int) Arguments.number(arguments, "plane", 0, 15, usual);
        int ecn = (int) Arguments.number(arguments, "ecn", 0, 3, 2);
        receive(new Input.Arrived(tNs, from, plane, ecn, datagram));
    }

    /** A datagram arrives whose route lies in a frame, at {@code at}. */
    public void receive(long tNs, byte[] frame, int at, byte[] datagram) {
        ByteBuffer route = ByteBuffer.wrap(frame, at, ROUTE_BYTES).slice();
        boolean isIpv6 = route.get(20) != 0;
        int port = Short.toUnsignedInt(route.order(ByteOrder.LITTLE_ENDIAN).getShort(16));
        if (port == 0) {
            throw new Refused("E_ARG", "sport = 0 is outside 1..65535");
        }
        route.order(ByteOrder.BIG_ENDIAN);
        Address from =
                isIpv6 ? Address.ipv6(route.getLong(0), route.getLong(8), port) : Address.ipv4(route.getInt(0), port);
        receive(new Input.Arrived(tNs, from, route.get(22) & 0xFF, route.get(21) & 3, datagram));
    }

    private void receive(Input.Arrived input) {
        try {
            model.receive(
                    input.tNs(),
                    input.from(),
                    input.plane(),
                    input.ecn(),
                    input.datagram(),
                    0,
                    input.datagram().length);
            remember(input);
        } catch (Refused e) {
            caughtUp(e, input.tNs());
            throw e;
        }
    }

    /** A command of the application; answers what it has to say. */
    public ObjectNode command(long tNs, String name, JsonNode arguments, int length) {
        try {
            ObjectNode answer = model.command(tNs, name, arguments);
            remember(new Input.Commanded(tNs, name, arguments, length));
            return answer;
        } catch (Refused e) {
            caughtUp(e, tNs);
            throw e;
        }
    }

    // What is refused has changed nothing, but deadlines before it have run.
    private void caughtUp(Refused refusal, long tNs) {
        if (!refusal.code().equals("E_TIME")) {
            remember(new Input.CaughtUp(tNs));
        }
    }

    /** A device tells what it chose. */
    public void choose(long tNs, int point, long value, int connection, int path) {
        try {
            model.choose(tNs, point, value, connection, path);
            remember(new Input.Chosen(tNs, point, value, connection, path));
        } catch (Refused e) {
            caughtUp(e, tNs);
            throw e;
        }
    }

    /** Time passes. */
    public void advance(long tNs) {
        model.advance(tNs);
        remember(new Input.Advanced(tNs));
    }
}
