package io.metaroce.capture;

/** One line of a trace: {@code {"time_ns":…,"name":"…","data":{…}}}. Reusable. */
final class JsonLine {
    private final StringBuilder out = new StringBuilder();

    /** Begins a line. */
    JsonLine begin(long timeNs, String name) {
        out.setLength(0);
        out.append("{\"time_ns\":")
                .append(timeNs)
                .append(",\"name\":\"")
                .append(name)
                .append("\",\"data\":{");
        return this;
    }

    JsonLine put(String key, long value) {
        key(key);
        out.append(value);
        return this;
    }

    JsonLine put(String key, boolean value) {
        key(key);
        out.append(value);
        return this;
    }

    JsonLine put(String key, String value) {
        key(key);
        out.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else {
                out.append(c < ' ' ? ' ' : c);
            }
        }
        out.append('"');
        return this;
    }

    /** A number that names something: eight hexadecimal digits. */
    JsonLine id(String key, int value) {
        String digits = Integer.toHexString(value);
        return put(key, "0".repeat(Integer.BYTES * 2 - digits.length()) + digits);
    }

    JsonLine number32(String key, int value) {
        return put(key, Integer.toUnsignedLong(value));
    }

    JsonLine beginArray(String key) {
        key(key);
        out.append('[');
        return this;
    }

    JsonLine beginElement() {
        comma();
        out.append('{');
        return this;
    }

    JsonLine endElement() {
        out.append('}');
        return this;
    }

    JsonLine endArray() {
        out.append(']');
        return this;
    }

    /** The whole line, with its end. */
    CharSequence end() {
        return out.append("}}\n");
    }

    private void key(String key) {
        comma();
        out.append('"').append(key).append("\":");
    }

    private void comma() {
        char last = out.charAt(out.length() - 1);
        if (last != '{' && last != '[') {
            out.append(',');
        }
    }
}
