package io.metaroce.compliance.cosim;

import io.metaroce.compliance.adapter.model.Arguments;
import io.metaroce.compliance.adapter.model.Kind;
import io.metaroce.compliance.adapter.model.RecordLog;
import io.metaroce.compliance.adapter.model.RecordText;
import io.metaroce.compliance.adapter.model.Recording;
import io.metaroce.compliance.adapter.model.Refused;
import io.metaroce.compliance.adapter.model.Told;
import io.metaroce.compliance.spec.Json;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A log of a device, compared afterwards: what entered it enters the model, what it did is expected. */
final class Events {
    private Events() {}

    /** Feeds and compares a batch; refused with the index of the first event that does not fit. */
    static ObjectNode of(Handle model, JsonNode request) {
        JsonNode batch = request.path("batch");
        if (!batch.isArray()) {
            throw new Refused("E_ARG", "batch is an array");
        }
        int index = 0;
        for (JsonNode event : batch) {
            try {
                one(model, event);
            } catch (Refused e) {
                throw e.at(index);
            }
            index++;
        }
        return Json.object().put("result", "ok").put("count", index);
    }

    private static void one(Handle model, JsonNode event) {
        long tNs = Arguments.number(event, "t_ns", 0, Session.T_MAX_NS);
        switch (Arguments.text(event, "kind", "")) {
            case "RX" -> {
                model.receive(tNs, event);
                model.model().taken();
            }
            case "CMD" -> {
                ObjectNode unused = model.command(tNs, Arguments.text(event, "do", ""), event, 256);
                model.model().taken();
            }
            case "ADVANCE" -> advance(model, tNs);
            case "CHOICE" -> {
                model.choose(tNs, event);
                model.model().taken();
            }
            default -> {
                String unused = model.expect(Told.of(event));
            }
        }
    }

    // What a refused input has left in the log is compared as well, so it is taken afterwards only.
    private static void advance(Handle model, long tNs) {
        do {
            model.advance(tNs);
            model.model().taken();
        } while (model.model().hasMore());
    }

    /** The same of records: {@code count} of them at {@code at}, then the bytes of their packets. */
    static ObjectNode of(Handle model, byte[] frame, int at, int count, int end) {
        int bytesAt = at + count * RecordLog.RECORD_BYTES;
        for (int i = 0; i < count; i++) {
            ByteBuffer record = ByteBuffer.wrap(frame, at + i * RecordLog.RECORD_BYTES, RecordLog.RECORD_BYTES)
                    .slice()
                    .order(ByteOrder.LITTLE_ENDIAN);
            try {
                Kind kind = RecordText.kind(record);
                int length = kind == Kind.TX || kind == Kind.RX ? record.getInt(RecordLog.LEN) : 0;
                if (length < 0 || length > end - bytesAt) {
                    throw new Refused("E_PARSE", length + " bytes of a packet, " + (end - bytesAt) + " are left");
                }
                one(model, Told.of(record, Arrays.copyOfRange(frame, bytesAt, bytesAt + length)));
                bytesAt += length;
            } catch (Refused e) {
                throw e.at(i);
            }
        }
        return Json.object().put("result", "ok").put("count", count);
    }

    private static void one(Handle model, Told event) {
        if (event.tNs() < 0) {
            throw new Refused("E_ARG", "t_ns = " + Long.toUnsignedString(event.tNs()) + " is beyond 2^63 - 2");
        }
        switch (event.kind()) {
            case RX -> {
                byte[] routed = Arrays.copyOf(event.route(), Recording.ROUTE_BYTES + event.bytes().length);
                System.arraycopy(event.bytes(), 0, routed, Recording.ROUTE_BYTES, event.bytes().length);
                model.receive(event.tNs(), routed, 0, routed.length);
                model.model().taken();
            }
            case ADVANCE -> advance(model, event.tNs());
            case CHOICE -> {
                model.choose(event.tNs(), (int) event.arg0(), event.arg1(), event.connection(), event.path());
                model.model().taken();
            }
            case RX_ACCEPT, RX_DROP, PLACE, CQE, STATE, COUNTER, TIMER_FIRE, TX -> {
                String unused = model.expect(event);
            }
        }
    }
}
