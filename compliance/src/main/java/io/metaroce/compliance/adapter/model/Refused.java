package io.metaroce.compliance.adapter.model;

import io.metaroce.compliance.spec.Json;
import tools.jackson.databind.node.ObjectNode;

/** A request that cannot be met; what was asked for has not been done. */
public final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final String code;
    private final transient ObjectNode details;

    /** A refusal with one of the codes of COSIM/1. */
    public Refused(String code, String message) {
        this(code, message, Json.object());
    }

    /** The same with further fields of the reply. */
    public Refused(String code, String message, ObjectNode details) {
        super(message);
        this.code = code;
        this.details = details;
    }

    /** A fault of the model itself, as a reply: it must not take other handles with it. */
    public static Refused fault(RuntimeException fault) {
        return new Refused("E_INTERNAL", "a fault of the model: " + fault);
    }

    /** The same, of the event of a batch that has this index. */
    public Refused at(int index) {
        return new Refused(
                code, String.valueOf(getMessage()), details.deepCopy().put("index", index));
    }

    /** The code: E_ARG, … */
    public String code() {
        return code;
    }

    /** Its reply. */
    public ObjectNode reply() {
        ObjectNode reply = Json.object().put("ok", false).put("err", code).put("msg", String.valueOf(getMessage()));
        reply.setAll(details);
        return reply;
    }
}
