package io.metaroce.wire;

import io.metaroce.wire.model.Bytes;
import io.metaroce.wire.model.Packet;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Records to the fields of a vector and back, by the names of their components. */
final class RecordFields {
    private RecordFields() {}

    /** What a record says, as a vector would: unsigned numbers, bytes in hexadecimal, lists, maps. */
    static Map<String, Object> of(Record record) {
        Map<String, Object> fields = new LinkedHashMap<>();
        for (RecordComponent component : record.getClass().getRecordComponents()) {
            Object value = get(component, record);
            if (value instanceof Packet.Header || value instanceof Packet.Message) {
                fields.putAll(of((Record) value));
            } else {
                fields.put(snake(component.getName()), plain(value));
            }
        }
        return fields;
    }

    /** The same view of the fields of a vector; of options only what travels. */
    static Object of(JsonNode node) {
        if (node.isString()) {
            return node.asString();
        }
        if (node.isNumber()) {
            return node.bigIntegerValue().longValue();
        }
        if (node.isArray()) {
            List<Object> list = new ArrayList<>();
            node.forEach(entry -> list.add(of(entry)));
            return list;
        }
        boolean isOption = node.has("type") && node.has("value");
        Map<String, Object> fields = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> entry : node.properties()) {
            if (!isOption || entry.getKey().equals("type") || entry.getKey().equals("value")) {
                fields.put(entry.getKey(), of(entry.getValue()));
            }
        }
        return fields;
    }

    /** The packet that {@code fields} describe. */
    static Packet packet(int opcode, JsonNode fields) {
        return (Packet) record(recordOf(opcode), fields);
    }

    /** The record class of an opcode. */
    static Class<?> recordOf(int opcode) {
        return switch (opcode) {
            case Opcode.CONN_REQ -> Packet.ConnectRequest.class;
            case Opcode.CONN_RETRY -> Packet.ConnectRetry.class;
            case Opcode.CONN_ACCEPT -> Packet.ConnectAccept.class;
            case Opcode.CONN_REJECT -> Packet.ConnectReject.class;
            case Opcode.CONN_CONFIRM -> Packet.ConnectConfirm.class;
            case Opcode.VERSION_NEG -> Packet.VersionNegotiation.class;
            case Opcode.CLOSE -> Packet.Close.class;
            case Opcode.CLOSE_ACK -> Packet.CloseAck.class;
            case Opcode.RESET -> Packet.Reset.class;
            case Opcode.ACK -> Packet.Ack.class;
            case Opcode.NAK -> Packet.Nak.class;
            case Opcode.PROBE -> Packet.Probe.class;
            case Opcode.CREDIT -> Packet.Credit.class;
            case Opcode.STREAM_QUERY -> Packet.StreamQuery.class;
            case Opcode.STREAM_STATUS -> Packet.StreamStatus.class;
            case Opcode.PLANE_STATUS -> Packet.PlaneStatus.class;
            case Opcode.WRITE -> Packet.Write.class;
            case Opcode.WRITE_IMM -> Packet.WriteImmediate.class;
            case Opcode.SEND -> Packet.Send.class;
            case Opcode.SEND_IMM -> Packet.SendImmediate.class;
            case Opcode.SEND_INV -> Packet.SendInvalidate.class;
            case Opcode.READ_REQ -> Packet.ReadRequest.class;
            case Opcode.ATOMIC_REQ -> Packet.AtomicRequest.class;
            case Opcode.READ_RESP -> Packet.ReadResponse.class;
            case Opcode.ATOMIC_RESP -> Packet.AtomicResponse.class;
            case Opcode.STATUS_RESP -> Packet.StatusResponse.class;
            default -> throw new IllegalArgumentException("no record for opcode " + opcode);
        };
    }

    /** A record made of one value per component. */
    static Record make(Class<?> type, Object[] values) {
        try {
            Class<?>[] types = Arrays.stream(type.getRecordComponents())
                    .map(RecordComponent::getType)
                    .toArray(Class<?>[]::new);
            Constructor<?> constructor = type.getDeclaredConstructor(types);
            return (Record) constructor.newInstance(values);
        } catch (NoSuchMethodException | InstantiationException | IllegalAccessException e) {
            throw new IllegalStateException(e);
        } catch (InvocationTargetException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    /** The type of the entries of a component that is a list. */
    static Class<?> entryType(RecordComponent component) {
        Type entry = ((ParameterizedType) component.getGenericType()).getActualTypeArguments()[0];
        return (Class<?>) entry;
    }

    /** A name in the style of the table. */
    static String snake(String camel) {
        return camel.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
    }

    private static Record record(Class<?> type, JsonNode fields) {
        RecordComponent[] components = type.getRecordComponents();
        Object[] values = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            Class<?> wanted = components[i].getType();
            boolean isPart = wanted == Packet.Header.class || wanted == Packet.Message.class;
            values[i] =
                    isPart ? record(wanted, fields) : value(components[i], fields.get(snake(components[i].getName())));
        }
        return make(type, values);
    }

    private static Object value(RecordComponent component, JsonNode node) {
        Class<?> wanted = component.getType();
        if (wanted == int.class) {
            return node.bigIntegerValue().intValue();
        }
        if (wanted == long.class) {
            return node.bigIntegerValue().longValue();
        }
        if (wanted == Bytes.class) {
            return Bytes.ofHex(node.asString());
        }
        List<Object> entries = new ArrayList<>();
        Class<?> entryType = entryType(component);
        for (JsonNode entry : node) {
            entries.add(entryType == Long.class ? entry.bigIntegerValue().longValue() : record(entryType, entry));
        }
        return List.copyOf(entries);
    }

    private static Object plain(Object value) {
        if (value instanceof Integer number) {
            return Integer.toUnsignedLong(number);
        }
        if (value instanceof List<?> list) {
            return list.stream().map(RecordFields::plain).toList();
        }
        if (value instanceof Record entry) {
            return of(entry);
        }
        return value instanceof Bytes ? value.toString() : value;
    }

    private static Object get(RecordComponent component, Record record) {
        try {
            return component.getAccessor().invoke(record);
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException(e);
        }
    }
}
