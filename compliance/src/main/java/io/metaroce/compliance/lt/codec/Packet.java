package io.metaroce.compliance.lt.codec;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What a packet says: its name in the table, its fields, its options, its payload. Mutable; copy before changing. */
public final class Packet {
    /** Bits of the flags of the base header. */
    public static final int X = 1;
    /** Acknowledge at once. */
    public static final int A = 2;
    /** Sent before. */
    public static final int R = 4;
    /** Marked in transit. */
    public static final int M = 8;

    private final String name;
    private final Fields fields;
    private final List<Option> options = new ArrayList<>();
    private byte[] payload = {};
    private int padding;

    /**
     * One option of the chain.
     *
     * @param type with the critical bit
     * @param value everything behind type and length, a whole number of words less two bytes
     */
    @SuppressWarnings("ArrayRecordComponent") // compared by nobody; handed on, not changed
    public record Option(int type, byte[] value) {}

    /** A packet of this name, all fields 0. */
    public Packet(String name) {
        this(name, new Fields());
    }

    Packet(String name, Fields fields) {
        this.name = name;
        this.fields = fields;
    }

    /** Its name in the table. */
    public String name() {
        return name;
    }

    /** Whether it has this name. */
    public boolean is(String other) {
        return name.equals(other);
    }

    /** All fields. */
    public Fields fields() {
        return fields;
    }

    /** A field. */
    public long get(String field) {
        return fields.get(field);
    }

    /** A field as 32 bits. */
    public int int32(String field) {
        return fields.int32(field);
    }

    /** Sets a field. */
    public Packet set(String field, long value) {
        fields.put(field, value);
        return this;
    }

    /** Sets bytes. */
    public Packet set(String field, byte[] value) {
        fields.put(field, value);
        return this;
    }

    /** Whether all these flags of the base header are set. */
    public boolean hasFlags(int flags) {
        return (get("flags") & flags) == flags;
    }

    /** Sets flags of the base header besides those that are set. */
    public Packet withFlags(int flags) {
        return set("flags", get("flags") | flags);
    }

    /** The options, in order, without the end. */
    public List<Option> options() {
        return options;
    }

    /** Adds an option. */
    public Packet option(int type, byte[] value) {
        options.add(new Option(type, value));
        return this;
    }

    /** The payload. */
    public byte[] payload() {
        return payload.clone();
    }

    /** Bytes of payload. */
    public int payloadLength() {
        return payload.length;
    }

    /** Sets the payload. */
    public Packet payload(byte[] value) {
        payload = value.clone();
        return this;
    }

    /** Zero bytes behind everything. */
    public int padding() {
        return padding;
    }

    /** Sets the zero bytes behind everything. */
    public Packet padding(int bytes) {
        padding = bytes;
        return this;
    }

    /** An independent copy. */
    public Packet copy() {
        Packet copy = new Packet(name, fields.copy());
        copy.options.addAll(options);
        copy.payload = payload;
        copy.padding = padding;
        return copy;
    }

    /** Whether the other says the same: name, fields, options, payload, padding. */
    public boolean says(Packet other) {
        boolean isSame = name.equals(other.name)
                && fields.equals(other.fields)
                && Arrays.equals(payload, other.payload)
                && padding == other.padding
                && options.size() == other.options.size();
        for (int i = 0; isSame && i < options.size(); i++) {
            isSame = options.get(i).type() == other.options.get(i).type()
                    && Arrays.equals(
                            options.get(i).value(), other.options.get(i).value());
        }
        return isSame;
    }

    @Override
    public String toString() {
        return name + fields + (payload.length == 0 ? "" : " +" + payload.length + " bytes");
    }
}
