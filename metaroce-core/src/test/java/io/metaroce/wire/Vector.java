package io.metaroce.wire;

import java.util.HexFormat;
import tools.jackson.databind.JsonNode;

/** One golden vector. */
record Vector(JsonNode json) {
    String name() {
        return json.get("name").asString();
    }

    /** The UDP payload, trailer included. */
    byte[] bytes() {
        return HexFormat.of().parseHex(json.get("hex").asString());
    }

    int seed() {
        return json.get("crc_seed").bigIntegerValue().intValue();
    }

    int opcode() {
        return json.get("opcode").asInt();
    }

    JsonNode fields() {
        return json.get("fields");
    }

    /** The drop reason of a bad vector. */
    String drop() {
        return json.get("drop").asString();
    }

    @Override
    public String toString() {
        return name();
    }
}
