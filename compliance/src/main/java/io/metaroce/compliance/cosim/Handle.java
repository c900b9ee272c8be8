package io.metaroce.compliance.cosim;

import io.metaroce.compliance.adapter.model.Arguments;
import io.metaroce.compliance.adapter.model.ChoicePoint;
import io.metaroce.compliance.adapter.model.Model;
import io.metaroce.compliance.adapter.model.ModelSetup;
import io.metaroce.compliance.adapter.model.Recording;
import io.metaroce.compliance.adapter.model.Refused;
import io.metaroce.compliance.adapter.model.Told;
import io.metaroce.compliance.lt.codec.Codec;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A model with what is known of the device it is compared with, and how much of the specification it has met. */
final class Handle {
    private final Recording recording;
    private final Coverage coverage;
    private final @Nullable Comparison comparison; // null: it is stepped only

    Handle(Recording recording, Codec codec) {
        this(recording, new Coverage(), isCompared(recording) ? new Comparison(recording.model(), codec) : null);
    }

    private Handle(Recording recording, Coverage coverage, @Nullable Comparison comparison) {
        this.recording = recording;
        this.coverage = coverage;
        this.comparison = comparison;
    }

    private static boolean isCompared(Recording recording) {
        return recording.model().setup().mode() != ModelSetup.Mode.STEP;
    }

    /** Where it stands: a replay of the model, a copy of the rest. */
    record Snapshot(
            Recording.Snapshot model,
            Coverage coverage,
            @Nullable Comparison comparison) {
        Handle copy() {
            Recording recording = Recording.of(model);
            return new Handle(
                    recording, coverage.copy(), comparison == null ? null : comparison.copy(recording.model()));
        }
    }

    Snapshot snapshot() {
        return new Snapshot(
                recording.snapshot(), coverage.copy(), comparison == null ? null : comparison.copy(recording.model()));
    }

    Model model() {
        return recording.model();
    }

    Coverage coverage() {
        return coverage;
    }

    // ---- inputs; what comes of them is in the log of the model until it is taken

    ObjectNode command(long tNs, String name, JsonNode arguments, int length) {
        ObjectNode answer = recording.command(tNs, name, arguments, length);
        note();
        return answer;
    }

    void receive(long tNs, JsonNode arguments) {
        recording.receive(tNs, arguments, arrives(Arguments.bytes(arguments, "hex")));
        note();
    }

    void receive(long tNs, byte[] frame, int at, int end) {
        recording.receive(tNs, frame, at, arrives(Arrays.copyOfRange(frame, at + Recording.ROUTE_BYTES, end)));
        note();
    }

    private byte[] arrives(byte[] bytes) {
        return comparison == null ? bytes : comparison.arrives(bytes);
    }

    void advance(long tNs) {
        recording.advance(tNs);
        note();
    }

    /** A choice as it stands in a request or in a log. */
    void choose(long tNs, JsonNode arguments) {
        JsonNode point = arguments.path("point");
        long number = point.isString()
                ? ChoicePoint.number(point.asString())
                : Arguments.number(arguments, "point", 1, Integer.MAX_VALUE);
        choose(tNs, (int) number, Arguments.bits(arguments, "value", 0), Arguments.bits32(arguments, "conn", 0), (int)
                Arguments.number(arguments, "path", 0, 255, 0));
    }

    void choose(long tNs, int point, long value, int connection, int path) {
        recording.choose(tNs, point, value, connection, path);
        note();
        // What is due before it has happened by now, and counts.
        if (comparison != null) {
            comparison.choose(point, value);
        }
    }

    private void note() {
        coverage.note(model().log());
        if (comparison != null) {
            comparison.note(model().log());
        }
    }

    /** A device says what happened; answers with how far that was compared. */
    String expect(Told told) {
        return comparison().expect(told);
    }

    private Comparison comparison() {
        if (comparison == null) {
            throw new Refused("E_STATE", "made with mode step, so nothing is kept for comparison");
        }
        return comparison;
    }
}
