package io.metaroce.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaroce.Covers;
import io.metaroce.datagram.Address;
import io.metaroce.trace.DropReason;
import io.metaroce.wire.ConnectParameters.PlaneAddress;
import io.metaroce.wire.ConnectParameters.StreamOpen;
import java.lang.reflect.InvocationTargetException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class ConnectParametersTest {
    private static final String LEAST = "90030100" + "0004c24d" + "c0a80002" // PLANES
            + "a0020000" + "00000001" // CRC_SEED
            + "a1020000" + "00000002" // PSN_SEED
            + "a4050000" + "ffffffffffffffffffffffffffffffff"; // RESET_TOKEN
    private static final String END = "00010000";

    @Test
    void allParametersOfTheVectorAreRead() {
        Vector vector = WireFiles.good("conn_req_full");
        ConnectParameters parameters = new ConnectParameters();
        PacketView view = new PacketView();
        assertThat(Received.check(view, vector.bytes(), 0)).isNull();
        assertThat(parameters.read(view.buffer(), view.tlvOffset(), view.tlvEnd()))
                .isNull();
        int compared = 0;
        for (JsonNode option : vector.fields().get("options")) {
            for (var field : option.get("fields").properties()) {
                Object expected = expected(field.getValue());
                assertThat(actual(parameters, field.getKey()))
                        .as(field.getKey())
                        .isEqualTo(expected);
                compared++;
            }
        }
        assertThat(compared).isEqualTo(29);
    }

    @Test
    void whatIsWrittenIsTheVector() {
        Vector vector = WireFiles.good("conn_req_full");
        ByteBuffer packet = ByteBuffer.wrap(vector.bytes());
        ConnectParameters parameters = new ConnectParameters();
        assertThat(parameters.read(packet, ConnectRequest.LENGTH, packet.capacity() - 4))
                .isNull();
        ByteBuffer again = ByteBuffer.allocate(2048);
        int written = parameters.write(again, 7);
        assertThat(again.slice(7, written)).isEqualTo(packet.slice(ConnectRequest.LENGTH, written));
    }

    @Test
    void aParameterThatIsAbsentHasTheDefaultOfTheTable() {
        ConnectParameters parameters = new ConnectParameters();
        assertThat(read(parameters, LEAST + END)).isNull();
        int compared = 0;
        for (JsonNode row : WireFiles.TABLE.get("tlvs")) {
            for (JsonNode field : row.get("fields")) {
                if (field.has("default") && field.get("default").isNumber()) {
                    assertThat(actual(parameters, field.get("name").asString()))
                            .as(field.get("name").asString())
                            .isEqualTo(field.get("default").longValue());
                    compared++;
                }
            }
        }
        assertThat(compared).isGreaterThan(15);
        assertThat(parameters.streamsOpen()).containsExactly(new StreamOpen(0, 0));
        assertThat(parameters.cookie()).isNull();
        assertThat(parameters.privateData()).isEmpty();
    }

    @Test
    @Covers("R-CONN-004")
    void valuesOutsideTheirRangeAreRefused() {
        int tried = 0;
        for (JsonNode row : WireFiles.TABLE.get("tlvs")) {
            for (JsonNode field : row.get("fields")) {
                boolean isSimple = row.get("words").isInt() && field.has("bits") && !isRequired(row);
                if (isSimple) {
                    for (long bad : outside(field)) {
                        String option = option(row, field, bad);
                        assertThat(read(new ConnectParameters(), LEAST + option + END))
                                .as("%s = %d", field.get("name").asString(), bad)
                                .isEqualTo(DropReason.HANDSHAKE);
                        tried++;
                    }
                }
            }
        }
        assertThat(tried).isGreaterThan(10);
    }

    @Test
    void eachRequiredParameterIsMissed() {
        List<String> required =
                List.of(LEAST.substring(0, 24), LEAST.substring(24, 40), LEAST.substring(40, 56), LEAST.substring(56));
        for (String missing : required) {
            assertThat(read(new ConnectParameters(), LEAST.replace(missing, "") + END))
                    .isEqualTo(DropReason.HANDSHAKE);
        }
        assertThat(read(new ConnectParameters(), String.join("", required) + END))
                .isNull();
        assertThat(new ConnectParameters()
                        .readOptional(ByteBuffer.wrap(HexFormat.of().parseHex(END)), 0, 4))
                .isNull();
    }

    @Test
    @Covers({"R-HDR-004", "R-HDR-005", "R-HDR-006"})
    void malformedChainsAreDropped() {
        assertThat(read(new ConnectParameters(), LEAST)).as("no end").isEqualTo(DropReason.TLV);
        assertThat(read(new ConnectParameters(), LEAST + "91000040" + END))
                .as("length 0")
                .isEqualTo(DropReason.TLV);
        assertThat(read(new ConnectParameters(), LEAST + "91020040" + END))
                .as("too long")
                .isEqualTo(DropReason.TLV);
        assertThat(read(new ConnectParameters(), LEAST + "91010040" + "91010040" + END))
                .as("twice")
                .isEqualTo(DropReason.TLV);
        assertThat(read(new ConnectParameters(), LEAST + "bf010000" + END)).isEqualTo(DropReason.TLV_CRITICAL);
        assertThat(read(new ConnectParameters(), LEAST + "3f010000" + END)).isNull();
        assertThat(read(new ConnectParameters(), LEAST + "27020005" + "00000000" + END))
                .as("private data shorter than it says")
                .isEqualTo(DropReason.TLV);
        assertThat(read(new ConnectParameters(), LEAST + "19020002" + "00000000" + END))
                .as("two streams, one there")
                .isEqualTo(DropReason.TLV);
    }

    @Test
    void malformedPlanesAreDropped() {
        String rest = LEAST.substring(24);
        assertThat(read(new ConnectParameters(), "90010000" + rest + END))
                .as("none")
                .isEqualTo(DropReason.HANDSHAKE);
        assertThat(read(new ConnectParameters(), "90030200" + "0004c24d" + "c0a80002" + rest + END))
                .as("two, one there")
                .isEqualTo(DropReason.TLV);
        assertThat(read(new ConnectParameters(), "90030100" + "0005c24d" + "c0a80002" + rest + END))
                .as("family 5")
                .isEqualTo(DropReason.TLV);
        assertThat(read(new ConnectParameters(), "90030100" + "0006c24d" + "c0a80002" + rest + END))
                .as("address of another family")
                .isEqualTo(DropReason.TLV);
        assertThat(read(new ConnectParameters(), "90030100" + "1004c24d" + "c0a80002" + rest + END))
                .as("plane 16")
                .isEqualTo(DropReason.HANDSHAKE);
        assertThat(read(new ConnectParameters(), "90030100" + "00040000" + "c0a80002" + rest + END))
                .as("port 0")
                .isEqualTo(DropReason.HANDSHAKE);
        String twice = "0004c24dc0a80002";
        assertThat(read(new ConnectParameters(), "90050200" + twice + twice + rest + END))
                .as("one plane twice")
                .isEqualTo(DropReason.HANDSHAKE);
        assertThat(read(new ConnectParameters(), "90040100" + twice + "00000000" + rest + END))
                .as("a word too many")
                .isEqualTo(DropReason.TLV);
    }

    @Test
    void theLongestFormsComeBack() {
        List<PlaneAddress> planes = new ArrayList<>();
        for (int plane = 0; plane < ConnectParameters.PLANES_MAX; plane++) {
            planes.add(new PlaneAddress(plane, Address.ipv6(-1L, plane, 65535)));
        }
        List<StreamOpen> streams =
                Collections.nCopies(ConnectParameters.STREAMS_OPEN_MAX, new StreamOpen(65535, 65535));
        byte[] data = new byte[ConnectParameters.PRIVATE_DATA_BYTES_MAX - 1];
        ConnectParameters parameters = new ConnectParameters()
                .planes(planes)
                .streamsOpen(streams)
                .privateData(data)
                .cookie(new byte[16])
                .initBudget(0xFFFF_FFFFL);
        ByteBuffer buffer = ByteBuffer.allocate(4096);
        int length = parameters.write(buffer, 0);
        ConnectParameters again = new ConnectParameters();
        assertThat(again.read(buffer, 0, length)).isNull();
        assertThat(again.planes()).isEqualTo(planes);
        assertThat(again.streamsOpen()).isEqualTo(streams);
        assertThat(again.privateData()).isEqualTo(data);
        assertThat(again.cookie()).isEqualTo(new byte[16]);
        assertThat(again.initBudget()).isEqualTo(0xFFFF_FFFFL);
    }

    @Test
    void whatDoesNotFitIsRefusedWithItsLimit() {
        ByteBuffer buffer = ByteBuffer.allocate(4096);
        assertThatThrownBy(
                        () -> new ConnectParameters().privateData(new byte[225]).write(buffer, 0))
                .hasMessageContaining("225")
                .hasMessageContaining("224");
        assertThatThrownBy(() -> new ConnectParameters()
                        .streamsOpen(Collections.nCopies(255, new StreamOpen(1, 1)))
                        .write(buffer, 0))
                .hasMessageContaining("254");
        assertThatThrownBy(() -> new ConnectParameters().cookie(new byte[15])).hasMessageContaining("16");
    }

    @Test
    void aRejectionCarriesPrivateDataOnly() {
        ByteBuffer buffer = ByteBuffer.allocate(64);
        int length =
                new ConnectParameters().privateData(new byte[] {1, 2, 3, 4, 5}).writePrivateData(buffer, 0);
        assertThat(length).isEqualTo(16);
        ConnectParameters again = new ConnectParameters();
        assertThat(again.readOptional(buffer, 0, length)).isNull();
        assertThat(again.privateData()).containsExactly(1, 2, 3, 4, 5);
    }

    // ---------------------------------------------------------------- bytes

    private static @Nullable DropReason read(ConnectParameters into, String hex) {
        byte[] bytes = HexFormat.of().parseHex(hex);
        return into.read(ByteBuffer.wrap(bytes), 0, bytes.length);
    }

    private static boolean isRequired(JsonNode row) {
        return row.has("required");
    }

    /** Values just outside the range a field states, if they fit into it. */
    private static List<Long> outside(JsonNode field) {
        List<Long> values = new ArrayList<>();
        if (field.has("min")) {
            values.add(field.get("min").longValue() - 1);
        }
        if (field.has("max")) {
            values.add(field.get("max").longValue() + 1);
        }
        if (field.has("values")) {
            field.get("values").forEach(value -> values.add(value.longValue() + 1));
        }
        if (field.has("enum")) {
            values.add((long) WireFiles.TABLE
                    .get("enums")
                    .get(field.get("enum").asString())
                    .size());
        }
        return values;
    }

    /** An option with one field set and all others 1. */
    private static String option(JsonNode row, JsonNode changed, long value) {
        ByteBuffer buffer = ByteBuffer.allocate(row.get("words").asInt() * 4);
        buffer.put(0, (byte) WireFiles.number(row.get("type")));
        buffer.put(1, (byte) row.get("words").asInt());
        for (JsonNode field : row.get("fields")) {
            int at = field.get("at").asInt() / 8;
            long number = field.get("name").equals(changed.get("name")) ? value : 1;
            switch (field.get("bits").asInt()) {
                case 8 -> buffer.put(at, (byte) number);
                case 16 -> buffer.putShort(at, (short) number);
                case 32 -> buffer.putInt(at, (int) number);
                default -> throw new IllegalArgumentException(field.toString());
            }
        }
        return HexFormat.of().formatHex(buffer.array());
    }

    // ---------------------------------------------------------------- values

    private static Object expected(JsonNode node) {
        if (node.isArray()) {
            List<Object> list = new ArrayList<>();
            for (JsonNode entry : node) {
                list.add(
                        entry.has("stream_id")
                                ? new StreamOpen(
                                        entry.get("stream_id").asInt(),
                                        entry.get("posted").asInt())
                                : plane(entry));
            }
            return list;
        }
        return node.isString()
                ? node.asString()
                : (Object) node.bigIntegerValue().longValue();
    }

    private static PlaneAddress plane(JsonNode entry) {
        ByteBuffer bytes =
                ByteBuffer.wrap(HexFormat.of().parseHex(entry.get("address").asString()));
        int port = entry.get("port").asInt();
        Address address = entry.get("family").asInt() == Address.IPV4
                ? Address.ipv4(bytes.getInt(0), port)
                : Address.ipv6(bytes.getLong(0), bytes.getLong(8), port);
        return new PlaneAddress(entry.get("plane").asInt(), address);
    }

    private static Object actual(ConnectParameters parameters, String name) {
        try {
            Object value =
                    ConnectParameters.class.getMethod(WireFiles.camel(name)).invoke(parameters);
            if (value instanceof byte[] bytes) {
                return HexFormat.of().formatHex(bytes);
            }
            if (value instanceof Integer number) {
                return Integer.toUnsignedLong(number);
            }
            return value;
        } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException(e);
        }
    }
}
