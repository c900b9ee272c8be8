package io.metaroce.compliance.adapter.model;

import java.util.HexFormat;
import tools.jackson.databind.JsonNode;

/** Arguments of a request, checked. What does not fit is refused as E_ARG. */
public final class Arguments {
    private Arguments() {}

    /** A whole number within bounds, also as {@code "0x…"}; it must be there. */
    public static long number(JsonNode arguments, String name, long min, long max) {
        JsonNode node = arguments.path(name);
        if (node.isMissingNode() || node.isNull()) {
            throw new Refused("E_ARG", name + " is missing");
        }
        long value = value(name, node);
        if (value < min || value > max) {
            throw new Refused("E_ARG", name + " = " + node + " is outside " + min + ".." + max);
        }
        return value;
    }

    /** The same with a value for when it is missing. */
    public static long number(JsonNode arguments, String name, long min, long max, long otherwise) {
        return arguments.has(name) ? number(arguments, name, min, max) : otherwise;
    }

    /** 64 bits, signed or not. */
    public static long bits(JsonNode arguments, String name, long otherwise) {
        return arguments.has(name) ? value(name, arguments.path(name)) : otherwise;
    }

    /** 32 bits, signed or not. */
    public static int bits32(JsonNode arguments, String name, int otherwise) {
        return (int) number(arguments, name, Integer.MIN_VALUE, 0xFFFF_FFFFL, otherwise);
    }

    private static long value(String name, JsonNode node) {
        try {
            if (node.isIntegralNumber()) {
                return node.bigIntegerValue().bitLength() <= Long.SIZE
                        ? node.bigIntegerValue().longValue()
                        : wrong(name, node);
            }
            return node.isString() && node.asString().startsWith("0x")
                    ? Long.parseUnsignedLong(node.asString().substring(2), 16)
                    : wrong(name, node);
        } catch (NumberFormatException e) {
            return wrong(name, node);
        }
    }

    private static long wrong(String name, JsonNode node) {
        throw new Refused("E_ARG", name + " = " + node + " is not a whole number of 64 bits");
    }

    /** A text. */
    public static String text(JsonNode arguments, String name, String otherwise) {
        JsonNode node = arguments.path(name);
        if (node.isMissingNode()) {
            return otherwise;
        }
        if (!node.isString()) {
            throw new Refused("E_ARG", name + " = " + node + " is no text");
        }
        return node.asString();
    }

    /** Yes or no, also as 1 or 0. */
    public static boolean flag(JsonNode arguments, String name, boolean otherwise) {
        JsonNode node = arguments.path(name);
        if (node.isMissingNode()) {
            return otherwise;
        }
        return node.isBoolean() ? node.asBoolean() : number(arguments, name, 0, 1) == 1;
    }

    /** Bytes in hexadecimal. */
    public static byte[] bytes(JsonNode arguments, String name) {
        String text = text(arguments, name, "");
        try {
            return HexFormat.of().parseHex(text);
        } catch (IllegalArgumentException e) {
            throw new Refused("E_ARG", name + " is not hexadecimal: " + e.getMessage());
        }
    }

    /** A number as JSON has it: beyond 2^53, or with the highest bit set, as hexadecimal text. */
    static void put(tools.jackson.databind.node.ObjectNode to, String name, long value) {
        if (value < 0 || value > 1L << 53) {
            to.put(name, "0x" + Long.toHexString(value));
        } else {
            to.put(name, value);
        }
    }
}
