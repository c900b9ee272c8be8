package io.metaroce.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/**
 * Each accessor reads and writes exactly the bits that the table gives its field, and no accessor is without a field.
 */
class FlyweightFieldsTest {
    private static final int AT = 5;
    private static final int SIZE = 160;
    private static final byte[] ONES = ones();

    /** Fields whose accessor is called otherwise, because the name is taken in the packet but not in the header. */
    private static final Map<String, String> ACCESSORS =
            Map.of("probe_flags", "flags", "close_flags", "flags", "chosen_version", "version");

    /** A flyweight and the part of the table it is the code of. */
    record Pair(Object flyweight, List<String> groups) {
        @Override
        public String toString() {
            return flyweight.getClass().getSimpleName();
        }
    }

    private static Pair pair(Object flyweight, String... groups) {
        return new Pair(flyweight, List.of(groups));
    }

    static Stream<Pair> flyweights() {
        return Stream.of(
                pair(new BaseHeader(), "BASE"),
                pair(new MessageHeader(), "MEH"),
                pair(new WriteHeader(), "WRITE", "WRITE_IMMEDIATE"),
                pair(new SendHeader(), "SEND", "SEND_IMMEDIATE", "SEND_INVALIDATE"),
                pair(new ReadRequestHeader(), "READ_REQ"),
                pair(new AtomicRequestHeader(), "ATOMIC_REQ"),
                pair(new ReadResponseHeader(), "READ_RESP"),
                pair(new AtomicResponseHeader(), "ATOMIC_RESP"),
                pair(new StatusResponseHeader(), "STATUS_RESP"),
                pair(new AckHeader(), "ACK"),
                pair(new PathBlock(), "PATH_BLOCK"),
                pair(new StreamUpdate(), "STREAM_UPDATE"),
                pair(new NakHeader(), "NAK"),
                pair(new ProbeHeader(), "PROBE"),
                pair(new StreamList(), "STREAM_LIST"),
                pair(new StreamQuery(), "STREAM_QUERY"),
                pair(new PlaneStatus(), "PLANE_STATUS"),
                pair(new ConnectRequest(), "CONN_REQ"),
                pair(new ConnectRetry(), "CONN_RETRY"),
                pair(new ConnectAccept(), "CONN_ACCEPT"),
                pair(new ConnectReject(), "CONN_REJECT"),
                pair(new ConnectConfirm(), "CONN_CONFIRM"),
                pair(new VersionNegotiation(), "VERSION_NEG"),
                pair(new CloseHeader(), "CLOSE"),
                pair(new ResetHeader(), "RESET"));
    }

    @ParameterizedTest
    @MethodSource("flyweights")
    @Covers("R-HDR-001")
    void settersWriteTheirBitsAndNoOthers(Pair pair) {
        for (String group : pair.groups()) {
            for (JsonNode field : fields(group)) {
                BitSet itsBits = new BitSet();
                itsBits.set(from(field), to(field));
                if (field.get("name").asString().equals("message_flags")) {
                    itsBits.clear(to(field) - 1); // reserved
                }
                ByteBuffer buffer = ByteBuffer.allocate(SIZE);
                lay(pair, buffer);
                set(pair, field, -1);
                assertThat(HexFormat.of().formatHex(buffer.array()))
                        .as(field.get("name").asString())
                        .isEqualTo(hex(itsBits));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("flyweights")
    @Covers("R-HDR-003")
    void settersZeroWhatIsReservedBehindThem(Pair pair) {
        for (String group : pair.groups()) {
            List<JsonNode> fields = fieldsAndReserved(group);
            for (int i = 0; i < fields.size(); i++) {
                JsonNode field = fields.get(i);
                if (isReserved(field) || field.has("repeat")) {
                    continue;
                }
                boolean isReservedBehind = i + 1 < fields.size() && isReserved(fields.get(i + 1));
                BitSet expected = new BitSet();
                expected.set(0, SIZE * 8);
                expected.clear(from(field), to(isReservedBehind ? fields.get(i + 1) : field));
                if (group.equals("MEH") && field.get("name").asString().equals("attempt")) {
                    expected.clear(to(fields.get(i + 1)) - 1); // the reserved bit of the same byte
                }
                ByteBuffer buffer = ByteBuffer.wrap(ONES.clone());
                lay(pair, buffer);
                set(pair, field, 0);
                assertThat(HexFormat.of().formatHex(buffer.array()))
                        .as(field.get("name").asString())
                        .isEqualTo(hex(expected));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("flyweights")
    void gettersReadTheirBitsAndNoOthers(Pair pair) {
        for (String group : pair.groups()) {
            for (JsonNode field : fields(group)) {
                int width = field.get("bits").asInt();
                for (int bit = 0; bit < width && width <= 64; bit++) {
                    ByteBuffer buffer = ByteBuffer.allocate(SIZE);
                    int at = from(field) + bit;
                    buffer.put(at / 8, (byte) (0x80 >> (at % 8)));
                    lay(pair, buffer);
                    boolean isReserved = field.get("name").asString().equals("message_flags") && bit == width - 1;
                    long expected = isReserved ? 0 : 1L << (width - 1 - bit);
                    assertThat(get(pair, field))
                            .as("%s bit %d", field.get("name").asString(), bit)
                            .isEqualTo(width == 32 ? (int) expected : expected);
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("flyweights")
    void everySetterIsAField(Pair pair) {
        Set<String> expected = new TreeSet<>();
        for (String group : pair.groups()) {
            fields(group).forEach(field -> expected.add(accessor(field)));
        }
        Set<String> found = new TreeSet<>();
        for (Method method : pair.flyweight().getClass().getDeclaredMethods()) {
            boolean isSetter = method.getReturnType() == pair.flyweight().getClass() && method.getParameterCount() == 1;
            if (isSetter && !method.getName().equals("begin")) {
                found.add(method.getName());
            }
        }
        assertThat(found).isEqualTo(expected);
    }

    // ---------------------------------------------------------------- reflection

    private static void lay(Pair pair, ByteBuffer buffer) {
        call(pair, "wrap", new Class<?>[] {ByteBuffer.class, int.class}, buffer, AT);
    }

    private static void set(Pair pair, JsonNode field, long value) {
        switch (field.get("bits").asInt()) {
            case 64 -> call(pair, accessor(field), new Class<?>[] {long.class}, value);
            case 128 -> {
                byte[] bytes = new byte[16];
                Arrays.fill(bytes, (byte) value);
                call(pair, accessor(field), new Class<?>[] {byte[].class}, (Object) bytes);
            }
            default -> {
                // Wider than the field, to see that it does not spill.
                call(pair, accessor(field), new Class<?>[] {int.class}, (int) value);
            }
        }
    }

    private static long get(Pair pair, JsonNode field) {
        return ((Number) call(pair, accessor(field), new Class<?>[0])).longValue();
    }

    private static Object call(Pair pair, String name, Class<?>[] types, Object... values) {
        try {
            return pair.flyweight().getClass().getMethod(name, types).invoke(pair.flyweight(), values);
        } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException(pair + "." + name, e);
        }
    }

    private static String accessor(JsonNode field) {
        String name = field.get("name").asString();
        return ACCESSORS.getOrDefault(name, WireFiles.camel(name));
    }

    // ---------------------------------------------------------------- the table

    private static List<JsonNode> fields(String group) {
        return fieldsAndReserved(group).stream()
                .filter(field -> !isReserved(field) && !field.has("repeat"))
                .toList();
    }

    private static List<JsonNode> fieldsAndReserved(String group) {
        JsonNode headers = WireFiles.TABLE.get("headers");
        JsonNode found = headers.has(group)
                ? headers.get(group)
                : WireFiles.TABLE.get("structures").get(group);
        return List.copyOf(found.get("fields").values());
    }

    private static boolean isReserved(JsonNode field) {
        return field.get("kind").asString().equals("reserved");
    }

    private static int from(JsonNode field) {
        return AT * 8 + field.get("at").asInt();
    }

    private static int to(JsonNode field) {
        return from(field) + field.get("bits").asInt();
    }

    /** Bytes with the bits of a set; bit 0 is the most significant bit of the first byte. */
    private static String hex(BitSet bits) {
        byte[] bytes = new byte[SIZE];
        bits.stream().forEach(i -> bytes[i / 8] |= (byte) (0x80 >> (i % 8)));
        return HexFormat.of().formatHex(bytes);
    }

    private static byte[] ones() {
        byte[] bytes = new byte[SIZE];
        Arrays.fill(bytes, (byte) 0xFF);
        return bytes;
    }
}
