package io.metaroce.tools.scope;

import tools.jackson.databind.JsonNode;

/**
 * One line of a trace.
 *
 * @param timeNs when, in ns since the endpoint was made
 * @param name what happened
 * @param data the particulars
 */
public record TraceEvent(long timeNs, String name, JsonNode data) {
    /** A number of the particulars, or {@code otherwise} where it is missing. */
    public long number(String key, long otherwise) {
        return data.path(key).asLong(otherwise);
    }

    /** A text of the particulars, empty where it is missing. */
    public String text(String key) {
        return data.path(key).asString("");
    }

    /** Whether it is a packet that occupies a slot. */
    public boolean isSlot() {
        return data.has("psn") && data.has("payload_bytes");
    }
}
