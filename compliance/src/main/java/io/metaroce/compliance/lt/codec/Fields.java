package io.metaroce.compliance.lt.codec;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Named values in order: numbers (unsigned in a long), bytes, lists of numbers, lists of such again. What is not there
 * reads as 0 or as empty.
 */
public final class Fields {
    private final Map<String, Object> values = new LinkedHashMap<>();

    /** No values. */
    public Fields() {}

    /** Sets a number. */
    public Fields put(String name, long value) {
        values.put(name, value);
        return this;
    }

    /** Sets bytes. */
    public Fields put(String name, byte[] value) {
        values.put(name, value.clone());
        return this;
    }

    /** Sets a list of numbers. */
    public Fields put(String name, long[] value) {
        values.put(name, value.clone());
        return this;
    }

    /** Sets a list. */
    public Fields put(String name, List<Fields> value) {
        values.put(name, new ArrayList<>(value));
        return this;
    }

    /** A number, 0 when it is not there. */
    public long get(String name) {
        return values.get(name) instanceof Long value ? value : 0;
    }

    /** The same as 32 bits. */
    public int int32(String name) {
        return (int) get(name);
    }

    /** Bytes, none when they are not there. */
    public byte[] bytes(String name) {
        return values.get(name) instanceof byte[] value ? value : new byte[0];
    }

    /** Numbers, none when they are not there. */
    public long[] longs(String name) {
        return values.get(name) instanceof long[] value ? value : new long[0];
    }

    /** A list, empty when it is not there. */
    public List<Fields> list(String name) {
        List<Fields> found = new ArrayList<>();
        if (values.get(name) instanceof List<?> list) {
            list.forEach(each -> found.add((Fields) each));
        }
        return found;
    }

    /** Whether there is such a value. */
    public boolean has(String name) {
        return values.containsKey(name);
    }

    /** The names, in order. */
    public List<String> names() {
        return List.copyOf(values.keySet());
    }

    /** An independent copy. */
    public Fields copy() {
        Fields copy = new Fields();
        values.forEach((name, value) -> {
            if (value instanceof List<?>) {
                copy.put(name, list(name).stream().map(Fields::copy).toList());
            } else {
                copy.values.put(name, value);
            }
        });
        return copy;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Fields fields && toString().equals(fields.toString());
    }

    @Override
    public int hashCode() {
        return toString().hashCode();
    }

    @Override
    public String toString() {
        StringBuilder out = new StringBuilder();
        values.forEach((name, value) ->
                out.append(out.isEmpty() ? "" : " ").append(name).append('=').append(text(value)));
        return "{" + out + "}";
    }

    private static String text(Object value) {
        if (value instanceof byte[] bytes) {
            return HexFormat.of().formatHex(bytes);
        }
        if (value instanceof long[] words) {
            StringBuilder out = new StringBuilder("[");
            for (long word : words) {
                out.append(out.length() == 1 ? "" : ",").append(Long.toHexString(word));
            }
            return out.append(']').toString();
        }
        return value instanceof Long number ? Long.toUnsignedString(number) : String.valueOf(value);
    }
}
