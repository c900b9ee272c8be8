package io.metaroce.compliance.lt.codec;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Reads and writes what has no fixed place: blocks, updates, entries, values of options. */
final class Structures {
    private final Table table;

    Structures(Table table) {
        this.table = table;
    }

    /** Signals that the bytes do not hold what they should. */
    static final class Malformed extends Exception {
        private static final long serialVersionUID = 1;

        Malformed() {
            super("the bytes end before the structure does", null, false, false);
        }
    }

    /** A structure read, and where it ends. */
    record Read(Fields fields, int end) {}

    Read read(String layout, byte[] bytes, int at, int end) throws Malformed {
        return read(table.layout(layout), bytes, at, end);
    }

    Read read(List<Table.Field> layout, byte[] bytes, int at, int end) throws Malformed {
        Fields into = new Fields();
        int stop = at;
        for (Table.Field field : layout) {
            long from = 8L * at + field.at();
            if (field.kind().equals("list")) {
                List<Fields> list = new ArrayList<>();
                int next = (int) (from / 8);
                for (long i = into.get(field.node().get("repeat").asString()); i > 0; i--) {
                    Read one = read(field.node().get("of").asString(), bytes, next, end);
                    list.add(one.fields());
                    next = one.end();
                }
                into.put(field.name(), list);
                stop = Math.max(stop, next);
            } else if (field.node().has("repeat")) {
                long[] words =
                        new long[(int) into.get(field.node().get("repeat").asString())];
                check(from + 64L * words.length, end);
                for (int i = 0; i < words.length; i++) {
                    words[i] = Bits.read(bytes, from + 64L * i, 64);
                }
                into.put(field.name(), words);
                stop = Math.max(stop, (int) (from / 8) + 8 * words.length);
            } else {
                int bits = widthOf(field, into);
                check(from + bits, end);
                if (field.kind().equals("bytes")) {
                    byte[] value = new byte[bits / 8];
                    System.arraycopy(bytes, (int) (from / 8), value, 0, value.length);
                    into.put(field.name(), value);
                } else {
                    into.put(field.name(), Bits.read(bytes, from, bits));
                }
                stop = Math.max(stop, (int) ((from + bits + 7) / 8));
            }
        }
        return new Read(into, stop);
    }

    private static void check(long bit, int end) throws Malformed {
        if (bit > 8L * end) {
            throw new Malformed();
        }
    }

    byte[] write(String layout, Fields fields) {
        return write(table.layout(layout), fields);
    }

    byte[] write(List<Table.Field> layout, Fields fields) {
        byte[] fixed = new byte[64];
        int length = 0;
        ByteArrayOutputStream tail = new ByteArrayOutputStream();
        for (Table.Field field : layout) {
            if (field.kind().equals("list")) {
                fields.list(field.name())
                        .forEach(each ->
                                tail.writeBytes(write(field.node().get("of").asString(), each)));
            } else if (field.node().has("repeat")) {
                for (long word : fields.longs(field.name())) {
                    byte[] bytes = new byte[8];
                    Bits.write(bytes, 0, 64, word);
                    tail.writeBytes(bytes);
                }
            } else if (field.kind().equals("bytes")) {
                tail.writeBytes(fields.bytes(field.name()));
            } else {
                Bits.write(fixed, field.at(), field.bits(), valueOf(field, layout, fields));
                length = Math.max(length, (field.at() + field.bits() + 7) / 8);
            }
        }
        byte[] all = new byte[length + tail.size()];
        System.arraycopy(fixed, 0, all, 0, length);
        System.arraycopy(tail.toByteArray(), 0, all, length, tail.size());
        return all;
    }

    // A count that was not given follows from the list it counts.
    private static long valueOf(Table.Field field, List<Table.Field> layout, Fields fields) {
        if (fields.has(field.name())) {
            return fields.get(field.name());
        }
        for (Table.Field other : layout) {
            if (other.node().path("repeat").asString("").equals(field.name())) {
                return other.kind().equals("list")
                        ? fields.list(other.name()).size()
                        : fields.longs(other.name()).length;
            }
            JsonNode bits = other.node().path("bits");
            if (bits.isString() && bits.asString().equals("8 * " + field.name())) {
                return fields.bytes(other.name()).length;
            }
        }
        return 0;
    }

    private static int widthOf(Table.Field field, Fields known) {
        JsonNode node = field.node();
        if (node.has("bits_by")) {
            JsonNode by = node.get("bits_by");
            String value = Long.toString(known.get(by.get("field").asString()));
            return by.get("cases").path(value).asInt(0);
        }
        JsonNode bits = node.path("bits");
        if (bits.isString() && bits.asString().startsWith("8 * ")) {
            return 8 * (int) known.get(bits.asString().substring(4));
        }
        return field.bits();
    }
}
