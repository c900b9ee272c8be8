package io.metaroce.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.param.CloseReason;
import io.metaroce.param.StreamError;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * The constants of the room are those of {@code spec/wire/packets.json}: nothing is in one that is not in the other.
 * Package-private constants are offsets; public ones are lengths, flags and values.
 */
class WireTableTest {
    private static final JsonNode TABLE = WireFiles.TABLE;

    /** Which headers and structures of the table a flyweight is the code of. */
    private static final Map<Class<?>, List<String>> FLYWEIGHTS = flyweights();

    /** Classes without constants of the wire. */
    private static final Set<Class<?>> OTHERS = Set.of(
            PacketView.class,
            Empty.class,
            ParameterReader.class,
            ParameterWriter.class,
            Trailer.class,
            Crc32cTrailer.class);

    // ---------------------------------------------------------------- the code against the table

    @Test
    void everyClassIsCompared() throws IOException, URISyntaxException {
        Set<String> compared = new TreeSet<>();
        FLYWEIGHTS.keySet().forEach(type -> compared.add(type.getSimpleName()));
        OTHERS.forEach(type -> compared.add(type.getSimpleName()));
        List.of(
                        Opcode.class,
                        NakCode.class,
                        Tlv.class,
                        ProbeEchoTlv.class,
                        ConnectParameters.class,
                        SecuredHeader.class,
                        Words.class)
                .forEach(type -> compared.add(type.getSimpleName()));
        Path folder = Path.of(PacketView.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toURI())
                .resolve("io/metaroce/wire");
        Set<String> found = new TreeSet<>();
        try (Stream<Path> files = Files.list(folder)) {
            files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".class") && !name.contains("$") && !name.startsWith("package-"))
                    .map(name -> name.replace(".class", ""))
                    .filter(name -> !isTest(name))
                    .forEach(found::add);
        }
        assertThat(found).isEqualTo(compared);
    }

    @Test
    void everyHeaderAndStructureIsCode() {
        Set<String> inCode = new TreeSet<>();
        FLYWEIGHTS.values().forEach(inCode::addAll);
        Set<String> inTable = new TreeSet<>();
        TABLE.get("headers").propertyNames().forEach(inTable::add);
        TABLE.get("structures").propertyNames().forEach(inTable::add);
        // Three structures that only the reader and writer of parameters and the chain itself know.
        inTable.removeAll(Set.of("TLV", "PLANE_ADDRESS", "STREAM_OPEN"));
        assertThat(inCode).isEqualTo(inTable);
    }

    @Test
    void offsetsAreThoseOfTheTable() {
        FLYWEIGHTS.forEach((type, names) ->
                assertThat(offsetsInCode(type)).as(type.getSimpleName()).isEqualTo(offsetsInTable(names)));
        assertThat(offsetsInCode(ProbeEchoTlv.class)).isEqualTo(offsets(tlv("PROBE_ECHO")));
        JsonNode chain = TABLE.get("structures").get("TLV");
        Map<String, Integer> head = offsets(chain);
        assertThat(head.remove("VALUE")).isEqualTo(Tlv.VALUE);
        assertThat(offsetsInCode(Tlv.class)).isEqualTo(head);
    }

    @Test
    void lengthsFlagsAndValuesAreThoseOfTheTable() {
        FLYWEIGHTS.forEach((type, names) ->
                assertThat(publicConstants(type)).as(type.getSimpleName()).isEqualTo(constantsInTable(type, names)));
        assertThat(publicConstants(ProbeEchoTlv.class))
                .isEqualTo(new TreeMap<>(Map.of(
                        "LENGTH", words("PROBE_ECHO") * 4, "CHAIN_LENGTH", (words("PROBE_ECHO") + words("END")) * 4)));
        assertThat(publicConstants(NakCode.class)).isEqualTo(values("error_code", ""));
        assertThat(publicConstants(Crc32cTrailer.class))
                .isEqualTo(new TreeMap<>(
                        Map.of("LENGTH", TABLE.get("trailer").get("bytes").asInt())));
    }

    @Test
    void theSecuredHeaderIsThatOfTheTable() {
        JsonNode secured = TABLE.get("secured");
        assertThat(offsetsInCode(SecuredHeader.class)).isEqualTo(offsets(secured));
        assertThat(publicConstants(SecuredHeader.class))
                .isEqualTo(new TreeMap<>(Map.of(
                        "M", 8,
                        "LENGTH", 16,
                        "TAG_LENGTH", 16,
                        "OVERHEAD_BYTES", secured.get("overhead_bytes").asInt())));
    }

    @Test
    void optionTypesAreThoseOfTheTable() {
        Map<String, Integer> expected = new TreeMap<>();
        for (JsonNode row : TABLE.get("tlvs")) {
            int type = WireFiles.number(row.get("type"));
            expected.put(row.get("name").asString(), type);
            boolean isParameter = row.get("scope").asString().equals("parameter");
            assertThat(Tlv.isCritical(type))
                    .as(row.get("name").asString())
                    .isEqualTo(row.get("critical").asBoolean());
            assertThat(Tlv.isParameter(type)).as(row.get("name").asString()).isEqualTo(isParameter);
            assertThat(Tlv.isKnownParameter(type))
                    .as(row.get("name").asString())
                    .isEqualTo(isParameter);
        }
        for (int type = 0; type < 256; type++) {
            if (!expected.containsValue(type)) {
                assertThat(Tlv.isKnownParameter(type)).as("type %d", type).isFalse();
            }
        }
        expected.put("CRITICAL", 0x80);
        expected.put("WORD_LENGTH", 4);
        expected.put("VALUE", 2);
        assertThat(publicConstants(Tlv.class)).isEqualTo(expected);
    }

    @Test
    void parametersAreThoseOfTheTable() {
        Map<String, Integer> expected = new TreeMap<>();
        expected.put("PRIVATE_DATA_BYTES_MAX", constant("PRIVATE_DATA_BYTES_MAX"));
        expected.put("PATHS_MAX", constant("PATHS_MAX"));
        expected.put("PLANES_MAX", constant("PLANES_MAX"));
        expected.put("STREAMS_OPEN_MAX", constant("STREAMS_OPEN_MAX"));
        expected.put("TOKEN_LENGTH", constant("TOKEN_BYTES"));
        expected.putAll(values("ecn_mode", "ECN_"));
        expected.putAll(flags(field(tlv("INTEGRITY"), "integrity"), "INTEGRITY_"));
        expected.putAll(flags(field(tlv("FEATURES"), "features_supported"), "FEATURE_"));
        expected.putAll(flags(field(tlv("ATOMIC_CAPS"), "atomic_caps"), "ATOMIC_"));
        assertThat(publicConstants(ConnectParameters.class)).isEqualTo(expected);
    }

    @Test
    void opcodesAreThoseOfTheTable() {
        Map<String, Integer> expected = new TreeMap<>();
        for (JsonNode row : TABLE.get("packets")) {
            expected.put(row.get("name").asString(), WireFiles.number(row.get("opcode")));
        }
        for (int opcode = 0; opcode < 256; opcode++) {
            assertThat(Opcode.isAssigned(opcode)).as("opcode %d", opcode).isEqualTo(expected.containsValue(opcode));
        }
        for (JsonNode row : TABLE.get("packets")) {
            compareRow(row, WireFiles.number(row.get("opcode")));
        }
        expected.put("EXPERIMENTS", WireFiles.number(TABLE.get("experiments").get("first_opcode")));
        assertThat(publicConstants(Opcode.class)).isEqualTo(expected);
    }

    @Test
    void errorsAndReasonsAreThoseOfTheTable() {
        Map<String, Integer> errors = new TreeMap<>();
        for (StreamError error : StreamError.values()) {
            errors.put(error.name(), error.code());
        }
        assertThat(errors.remove("NONE")).isZero();
        assertThat(errors).isEqualTo(values("error_code", ""));
        Map<String, Integer> reasons = new TreeMap<>();
        for (CloseReason reason : CloseReason.values()) {
            if (reason.rejectCode() != 0) {
                reasons.put(reason.name().replace("REJECTED_", ""), reason.rejectCode());
            }
        }
        assertThat(reasons).isEqualTo(values("reject_reason", ""));
        values("error_code", "")
                .forEach((name, code) -> assertThat(NakCode.name(code)).isEqualTo(name));
    }

    @Test
    void recordsHaveTheFieldsOfTheTable() {
        for (JsonNode row : TABLE.get("packets")) {
            Class<?> type = RecordFields.recordOf(WireFiles.number(row.get("opcode")));
            Set<String> expected = new TreeSet<>(Set.of("header", "options"));
            for (String header : WireFiles.layout(row)) {
                if (header.equals("MEH")) {
                    expected.add("message");
                } else if (!header.equals("BASE")) {
                    names(TABLE.get("headers").get(header)).forEach(name -> expected.add(WireFiles.camel(name)));
                }
            }
            for (JsonNode part : row.get("body")) {
                expected.remove(WireFiles.camel(WireFiles.text(part, "count")));
                if (part.has("name")) {
                    expected.add(WireFiles.camel(part.get("name").asString()));
                }
            }
            Set<String> found = new TreeSet<>();
            Arrays.stream(type.getRecordComponents()).forEach(component -> found.add(component.getName()));
            assertThat(found).as(row.get("name").asString()).isEqualTo(expected);
        }
    }

    // ---------------------------------------------------------------- the code, read

    private static boolean isTest(String name) {
        return Set.of("WireFiles", "Vector", "RecordFields", "Received", "RandomPackets")
                        .contains(name)
                || name.endsWith("Test")
                || name.endsWith("Properties");
    }

    private static Map<String, Integer> offsetsInCode(Class<?> type) {
        Map<String, Integer> found = new TreeMap<>();
        constants(type, 0).forEach((name, value) -> found.put(name.replaceAll("_FIELD$", ""), value));
        return found;
    }

    private static Map<String, Integer> publicConstants(Class<?> type) {
        return constants(type, Modifier.PUBLIC);
    }

    /** Static final ints with exactly this access. */
    private static Map<String, Integer> constants(Class<?> type, int access) {
        Map<String, Integer> found = new TreeMap<>();
        for (Field field : type.getDeclaredFields()) {
            int modifiers = field.getModifiers();
            boolean isConstant = Modifier.isStatic(modifiers) && Modifier.isFinal(modifiers);
            int itsAccess = modifiers & (Modifier.PUBLIC | Modifier.PRIVATE | Modifier.PROTECTED);
            if (isConstant && field.getType() == int.class && itsAccess == access) {
                found.put(field.getName(), read(field));
            }
        }
        return found;
    }

    private static int read(Field field) {
        try {
            return field.getInt(null);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void compareRow(JsonNode row, int opcode) {
        String name = row.get("name").asString();
        assertThat(Opcode.name(opcode)).isEqualTo(name);
        assertThat(Opcode.headerLength(opcode))
                .as(name)
                .isEqualTo(row.get("header_bytes").asInt());
        assertThat(Opcode.isSlot(opcode)).as(name).isEqualTo(row.get("slot").asBoolean());
        assertThat(Opcode.isReport(opcode)).as(name).isEqualTo(row.get("report").asBoolean());
        assertThat(Opcode.isHandshake(opcode))
                .as(name)
                .isEqualTo(row.get("handshake").asBoolean());
        assertThat(Opcode.usesSeedZero(opcode))
                .as(name)
                .isEqualTo(row.get("seed").asString().equals("zero"));
        boolean hasRsn = false;
        for (String header : WireFiles.layout(row)) {
            hasRsn |= names(TABLE.get("headers").get(header)).contains("rsn");
        }
        assertThat(Opcode.consumesReceive(opcode)).as(name).isEqualTo(hasRsn);
        boolean hasPayload = false;
        boolean hasChain = false;
        for (JsonNode part : row.get("body")) {
            hasPayload |= part.get("part").asString().equals("payload");
            hasChain |= WireFiles.text(part, "when").equals("always");
        }
        assertThat(Opcode.hasPayload(opcode)).as(name).isEqualTo(hasPayload);
        assertThat(Opcode.alwaysHasOptions(opcode)).as(name).isEqualTo(hasChain);
        List<String> parameterOpcodes = new ArrayList<>();
        TABLE.get("tlv_rules").get("parameter_opcodes").forEach(entry -> parameterOpcodes.add(entry.asString()));
        assertThat(Opcode.takesParameters(opcode)).as(name).isEqualTo(parameterOpcodes.contains(name));
    }

    // ---------------------------------------------------------------- the table, read

    private static Map<Class<?>, List<String>> flyweights() {
        Map<Class<?>, List<String>> all = new LinkedHashMap<>();
        all.put(BaseHeader.class, List.of("BASE"));
        all.put(MessageHeader.class, List.of("MEH"));
        all.put(WriteHeader.class, List.of("WRITE", "WRITE_IMMEDIATE"));
        all.put(SendHeader.class, List.of("SEND", "SEND_IMMEDIATE", "SEND_INVALIDATE"));
        all.put(ReadRequestHeader.class, List.of("READ_REQ"));
        all.put(AtomicRequestHeader.class, List.of("ATOMIC_REQ"));
        all.put(ReadResponseHeader.class, List.of("READ_RESP"));
        all.put(AtomicResponseHeader.class, List.of("ATOMIC_RESP"));
        all.put(StatusResponseHeader.class, List.of("STATUS_RESP"));
        all.put(AckHeader.class, List.of("ACK"));
        all.put(PathBlock.class, List.of("PATH_BLOCK"));
        all.put(StreamUpdate.class, List.of("STREAM_UPDATE"));
        all.put(NakHeader.class, List.of("NAK"));
        all.put(ProbeHeader.class, List.of("PROBE"));
        all.put(StreamList.class, List.of("STREAM_LIST"));
        all.put(StreamQuery.class, List.of("STREAM_QUERY", "STREAM_ENTRY"));
        all.put(PlaneStatus.class, List.of("PLANE_STATUS"));
        all.put(ConnectRequest.class, List.of("CONN_REQ"));
        all.put(ConnectRetry.class, List.of("CONN_RETRY"));
        all.put(ConnectAccept.class, List.of("CONN_ACCEPT"));
        all.put(ConnectReject.class, List.of("CONN_REJECT"));
        all.put(ConnectConfirm.class, List.of("CONN_CONFIRM"));
        all.put(VersionNegotiation.class, List.of("VERSION_NEG"));
        all.put(CloseHeader.class, List.of("CLOSE", "CLOSE_ACK"));
        all.put(ResetHeader.class, List.of("RESET"));
        return all;
    }

    private static JsonNode group(String name) {
        JsonNode headers = TABLE.get("headers");
        return headers.has(name) ? headers.get(name) : TABLE.get("structures").get(name);
    }

    private static Map<String, Integer> offsetsInTable(List<String> names) {
        Map<String, Integer> expected = new TreeMap<>();
        for (String name : names) {
            // The entry of STREAM_QUERY is one field at its start and needs no constant.
            if (!name.equals("STREAM_ENTRY")) {
                expected.putAll(offsets(group(name)));
            }
        }
        return expected;
    }

    private static Map<String, Integer> offsets(JsonNode group) {
        Map<String, Integer> offsets = new TreeMap<>();
        for (JsonNode field : group.get("fields")) {
            offsets.put(
                    WireFiles.constant(field.get("name").asString()),
                    field.get("at").asInt() / 8);
        }
        return offsets;
    }

    private static Map<String, Integer> constantsInTable(Class<?> type, List<String> names) {
        Map<String, Integer> expected = new TreeMap<>();
        for (String name : names) {
            JsonNode group = group(name);
            expected.put(lengthConstant(name), lengthOf(group));
            for (JsonNode field : group.get("fields")) {
                expected.putAll(flags(field, ""));
                boolean isOwn =
                        type != NakHeader.class && WireFiles.text(field, "kind").equals("enum");
                String values = WireFiles.text(field, "enum");
                if (isOwn
                        && Set.of("atomic_op", "status_kind", "reject_reason", "close_code")
                                .contains(values)) {
                    expected.putAll(values(values, ""));
                }
            }
        }
        expected.putAll(ownConstants(type));
        return expected;
    }

    private static String lengthConstant(String name) {
        return switch (name) {
            case "WRITE_IMMEDIATE", "SEND_IMMEDIATE" -> "LENGTH_IMMEDIATE";
            case "SEND_INVALIDATE" -> "LENGTH_INVALIDATE";
            case "PATH_BLOCK" -> "HEADER_LENGTH";
            case "STREAM_ENTRY" -> "ENTRY_LENGTH";
            default -> "LENGTH";
        };
    }

    private static int lengthOf(JsonNode group) {
        if (group.has("end")) {
            return group.get("end").asInt();
        }
        // "24 + 8 * words": what comes before the repeated part.
        JsonNode bytes = group.get("bytes");
        return bytes.isString() ? Integer.parseInt(bytes.asString().replaceAll(" .*", "")) : bytes.asInt();
    }

    /** Constants that stand among the constants of the table. */
    private static Map<String, Integer> ownConstants(Class<?> type) {
        if (type == BaseHeader.class) {
            return Map.of("VERSION_1", constant("VERSION"), "VERSION_SECURED", constant("VERSION_SECURED"));
        }
        if (type == PathBlock.class) {
            return Map.of("WORDS_MAX", constant("SACK_WORDS_MAX"), "NO_RTT_SAMPLE", constant("NO_RTT_SAMPLE"));
        }
        if (type == ConnectRequest.class) {
            return Map.of("PACKET_BYTES_MIN", constant("CONN_REQ_BYTES_MIN"));
        }
        return type == CloseHeader.class ? Map.of("ERROR_BASE", constant("CLOSE_ERROR_BASE")) : Map.of();
    }

    private static Map<String, Integer> flags(JsonNode field, String prefix) {
        Map<String, Integer> masks = new TreeMap<>();
        if (field.has("flags")) {
            for (JsonNode flag : field.get("flags")) {
                masks.put(
                        prefix + flag.get("name").asString(),
                        1 << flag.get("bit").asInt());
            }
        }
        return masks;
    }

    private static Map<String, Integer> values(String enumeration, String prefix) {
        Map<String, Integer> values = new TreeMap<>();
        for (JsonNode row : TABLE.get("enums").get(enumeration)) {
            values.put(prefix + row.get("name").asString(), row.get("value").asInt());
        }
        return values;
    }

    private static int constant(String name) {
        for (JsonNode row : TABLE.get("constants")) {
            if (row.get("name").asString().equals(name)) {
                return WireFiles.number(row.get("value"));
            }
        }
        throw new IllegalArgumentException("no constant " + name);
    }

    private static JsonNode tlv(String name) {
        for (JsonNode row : TABLE.get("tlvs")) {
            if (row.get("name").asString().equals(name)) {
                return row;
            }
        }
        throw new IllegalArgumentException("no option " + name);
    }

    private static int words(String tlv) {
        return tlv(tlv).get("words").asInt();
    }

    private static JsonNode field(JsonNode group, String name) {
        for (JsonNode field : group.get("fields")) {
            if (field.get("name").asString().equals(name)) {
                return field;
            }
        }
        throw new IllegalArgumentException("no field " + name);
    }

    private static Set<String> names(JsonNode group) {
        Set<String> names = new TreeSet<>();
        for (JsonNode field : group.get("fields")) {
            if (!field.get("kind").asString().equals("reserved")) {
                names.add(field.get("name").asString());
            }
        }
        return names;
    }
}
