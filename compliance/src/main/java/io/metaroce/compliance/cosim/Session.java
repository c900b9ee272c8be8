package io.metaroce.compliance.cosim;

import io.metaroce.compliance.adapter.model.Arguments;
import io.metaroce.compliance.adapter.model.Model;
import io.metaroce.compliance.adapter.model.ModelSetup;
import io.metaroce.compliance.adapter.model.RecordText;
import io.metaroce.compliance.adapter.model.Recording;
import io.metaroce.compliance.adapter.model.Refused;
import io.metaroce.compliance.adapter.model.StateDump;
import io.metaroce.compliance.adapter.model.Told;
import io.metaroce.compliance.lt.codec.Codec;
import io.metaroce.compliance.spec.Json;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What one client asks for, in JSON: a request in, its reply out. */
public final class Session {
    static final long T_MAX_NS = Long.MAX_VALUE - 1;

    private final Handles handles = new Handles();
    private final Codec codec;
    private boolean isOver;

    /** A session whose packets are read with this codec. */
    public Session(Codec codec) {
        this.codec = codec;
    }

    /** Whether the client has said good-bye. */
    boolean isOver() {
        return isOver;
    }

    Handle find(int handle) {
        return handles.find(handle);
    }

    /**
     * Answers a request; what cannot be met is an answer too.
     *
     * @param length about how long it was, in bytes
     */
    public ObjectNode answer(JsonNode request, int length) {
        ObjectNode reply;
        try {
            reply = Json.object().put("ok", true);
            reply.setAll(call(request, length));
        } catch (Refused e) {
            reply = e.reply();
        } catch (RuntimeException e) {
            reply = Refused.fault(e).reply();
        }
        return reply;
    }

    private ObjectNode call(JsonNode request, int length) {
        if (!request.isObject()) {
            throw new Refused("E_PARSE", "a request is an object");
        }
        String op = Arguments.text(request, "op", "");
        return switch (op) {
            case "new" -> open(request);
            case "cmd" -> command(request, length);
            case "rx" -> receive(request);
            case "advance" -> advance(request);
            case "state" ->
                Json.object()
                        .set("state", StateDump.of(model(request).model(), Arguments.text(request, "level", "arch")));
            case "hash" ->
                Json.object().put("sha256", StateDump.hash(model(request).model()));
            case "save" -> save(request);
            case "load" -> copy(handles.snapshot((int) Arguments.number(request, "s", 1, Integer.MAX_VALUE)));
            case "fork" -> copy(model(request).snapshot());
            case "free" -> free(request);
            case "bye" -> {
                isOver = true;
                yield Json.object();
            }
            case "choose" -> choose(request);
            case "expect" -> expect(model(request), Told.of(request));
            case "events" -> Events.of(model(request), request);
            case "cov" -> Json.object().set("cov", model(request).coverage().json());
            default -> throw new Refused("E_OP", "no request " + op);
        };
    }

    private Handle model(JsonNode request) {
        return handles.find((int) Arguments.number(request, "h", 1, Integer.MAX_VALUE));
    }

    private ObjectNode open(JsonNode request) {
        handles.requireRoom();
        ModelSetup setup = ModelSetup.of(request);
        int handle;
        try {
            handle = handles.add(new Handle(new Recording(setup, request), codec));
        } catch (IllegalArgumentException e) {
            throw new Refused("E_ARG", String.valueOf(e.getMessage()));
        }
        ObjectNode reply = Json.object().put("h", handle);
        ArrayNode addresses = reply.putArray("addresses");
        setup.addressTexts().forEach(addresses::add);
        return reply.put("profile", setup.profile()).put("mode", setup.mode().label());
    }

    private static long time(JsonNode request) {
        return Arguments.number(request, "t", 0, T_MAX_NS);
    }

    private ObjectNode command(JsonNode request, int length) {
        Handle model = model(request);
        String name = Arguments.text(request, "do", "");
        ObjectNode answer = model.command(time(request), name, request, length);
        return effects(model.model()).set("answer", answer);
    }

    private ObjectNode receive(JsonNode request) {
        Handle model = model(request);
        model.receive(time(request), request);
        return effects(model.model());
    }

    private ObjectNode advance(JsonNode request) {
        Handle model = model(request);
        model.advance(time(request));
        return effects(model.model());
    }

    private ObjectNode choose(JsonNode request) {
        Handle model = model(request);
        model.choose(time(request), request);
        return effects(model.model()).put("result", "allowed");
    }

    /** Compares what a device tells. */
    static ObjectNode expect(Handle model, Told told) {
        return Json.object().put("result", "match").put("compared", model.expect(told));
    }

    private static ObjectNode effects(Model model) {
        ObjectNode reply = Json.object().put("reached", model.nowNs());
        if (model.nextNs() != Model.NEVER) {
            reply.put("next", model.nextNs());
        }
        if (model.hasMore()) {
            reply.put("more", true);
        }
        reply.set("effects", RecordText.of(model.log(), model.setup()));
        model.taken();
        return reply;
    }

    private ObjectNode save(JsonNode request) {
        int number = handles.save(model(request));
        return Json.object()
                .put("s", number)
                .put("inputs", handles.snapshot(number).model().inputs().size());
    }

    private ObjectNode copy(Handle.Snapshot snapshot) {
        handles.requireRoom();
        return Json.object().put("h", handles.add(snapshot.copy()));
    }

    private ObjectNode free(JsonNode request) {
        if (request.has("s")) {
            handles.freeSnapshot((int) Arguments.number(request, "s", 1, Integer.MAX_VALUE));
        } else {
            handles.free((int) Arguments.number(request, "h", 1, Integer.MAX_VALUE));
        }
        return Json.object();
    }
}
