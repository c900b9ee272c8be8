package io.metaroce.compliance.adapter;

import io.metaroce.compliance.spec.Json;
import io.metaroce.compliance.utp.Pattern;
import io.metaroce.compliance.utp.UtpException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What commands do to the bytes of a region: {@code mr_fill}, {@code mr_check}, {@code mr_read}. */
public final class RegionBytes {
    private static final int READ_BYTES_MAX = 4096;

    private RegionBytes() {}

    /** Fills with a pattern, with one byte, or with what is given. */
    public static ObjectNode fill(ByteBuffer region, JsonNode arguments) {
        byte[] bytes;
        if (arguments.has("hex")) {
            bytes = HexFormat.of().parseHex(arguments.path("hex").asString(""));
        } else {
            int offset = offset(region, arguments);
            int length = length(region, arguments, offset, region.capacity() - offset);
            bytes = arguments.has("byte")
                    ? filled(length, (byte) arguments.path("byte").asInt())
                    : Pattern.bytes(seed(arguments), at(arguments, offset), length);
        }
        int offset = offset(region, arguments);
        region.put(within(region, offset, bytes.length), bytes);
        return Json.object();
    }

    /** Compares with a pattern, or with one byte everywhere; says where the first difference is. */
    public static ObjectNode check(ByteBuffer region, JsonNode arguments) {
        int offset = offset(region, arguments);
        int length = length(region, arguments, offset, region.capacity() - offset);
        for (int i = 0; i < length; i++) {
            byte wanted = arguments.has("byte")
                    ? (byte) arguments.path("byte").asInt()
                    : Pattern.at(seed(arguments), at(arguments, offset) + i);
            byte got = region.get(offset + i);
            if (got != wanted) {
                return Json.object()
                        .put("same", false)
                        .put("off", offset + i)
                        .put("exp", wanted & 0xFF)
                        .put("got", got & 0xFF);
            }
        }
        return Json.object().put("same", true);
    }

    /** A few bytes as they are, in hexadecimal. */
    public static ObjectNode read(ByteBuffer region, JsonNode arguments) {
        int offset = offset(region, arguments);
        byte[] bytes = new byte[Math.min(length(region, arguments, offset, 8), READ_BYTES_MAX)];
        region.get(offset, bytes);
        return Json.object().put("hex", HexFormat.of().formatHex(bytes));
    }

    private static long seed(JsonNode arguments) {
        return arguments.path("seed").asLong(0);
    }

    private static long at(JsonNode arguments, int offset) {
        return arguments.path("at").asLong(offset);
    }

    private static int offset(ByteBuffer region, JsonNode arguments) {
        return within(region, arguments.path("off").asInt(0), 0);
    }

    private static int length(ByteBuffer region, JsonNode arguments, int offset, int otherwise) {
        int length = arguments.path("len").asInt(otherwise);
        within(region, offset, length);
        return length;
    }

    private static int within(ByteBuffer region, int offset, int length) {
        if (offset < 0 || length < 0 || length > region.capacity() - offset) {
            throw new UtpException(
                    "E_BADARG",
                    length + " bytes at " + offset + " are not within a region of " + region.capacity() + " bytes");
        }
        return offset;
    }

    private static byte[] filled(int length, byte value) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, value);
        return bytes;
    }
}
