package io.metaroce.compliance.cosim;

import io.metaroce.compliance.adapter.model.Refused;
import io.metaroce.compliance.spec.Json;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A device and the model disagree: in what, what each says, and which requirement the device violates. */
final class Mismatch {
    private Mismatch() {}

    static Refused of(String field, String expected, String got, String requirement, ArrayNode last) {
        ObjectNode details = Json.object()
                .put("field", field)
                .put("exp", expected)
                .put("got", got)
                .put("requirement", requirement);
        details.set("last8", last);
        return new Refused(
                "E_MISMATCH", field + ": expected " + expected + ", got " + got + " (" + requirement + ")", details);
    }
}
