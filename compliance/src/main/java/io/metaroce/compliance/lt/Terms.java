package io.metaroce.compliance.lt;

import io.metaroce.compliance.lt.codec.Codec;
import io.metaroce.compliance.lt.codec.Fields;
import io.metaroce.compliance.lt.codec.Packet;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the tester says of itself in a handshake, parameter by parameter. */
final class Terms {
    private static final int REQUEST_BYTES_MIN = 1200;

    private final Codec codec;
    private final Map<String, Fields> values = new LinkedHashMap<>();

    /** Ordinary terms of a peer that receives on this number. */
    Terms(Codec codec, int connId, Wire wire) {
        this.codec = codec;
        List<Fields> planes = new ArrayList<>();
        for (int plane = 0; plane < wire.planes(); plane++) {
            planes.add(address(plane, wire.testerAddress(plane)));
        }
        put("PLANES", new Fields().put("planes", planes));
        put("MAX_PATHS", new Fields().put("max_paths", 64));
        put("TRACK_WINDOW", new Fields().put("track_window_log2", 8));
        put("SACK_WORDS", new Fields().put("sack_words", 4));
        put("MAX_PAYLOAD", new Fields().put("max_payload", 4096));
        put("ACK_POLICY", new Fields().put("ack_every", 1).put("ack_kib", 16).put("max_ack_delay_ns", 1000));
        put("ECN_MODE", new Fields().put("ecn_mode", 1));
        put("CRC_SEED", new Fields().put("crc_seed", 0x0C0F_FEE0L + connId % 16));
        put("PSN_SEED", new Fields().put("psn_seed", 1000));
        put("RESET_TOKEN", new Fields().put("reset_token", new byte[16]));
    }

    private static Fields address(int plane, String text) {
        String[] parts = text.split("[.:]", -1);
        byte[] address = new byte[4];
        for (int i = 0; i < 4; i++) {
            address[i] = (byte) Integer.parseInt(parts[i]);
        }
        return new Fields()
                .put("plane", plane)
                .put("family", 4)
                .put("port", Integer.parseInt(parts[4]))
                .put("address", address);
    }

    void put(String name, Fields value) {
        values.put(name, value);
    }

    void remove(String name) {
        values.remove(name);
    }

    /** What is said of a parameter; empty when nothing is. */
    Fields get(String name) {
        return values.getOrDefault(name, new Fields());
    }

    /** The packet with all terms as options. */
    Packet addTo(Packet packet) {
        values.forEach((name, value) -> {
            Packet unused = codec.addOption(packet, name, value);
        });
        return packet;
    }

    /** The request with as many zero bytes as an address that is not validated must bring. */
    Packet padded(Packet request) {
        int bytes = codec.encode(request.padding(0), 0).length;
        return request.padding(Math.max(0, REQUEST_BYTES_MIN - bytes));
    }

    /** What a packet of the implementation says. */
    static Map<String, Fields> of(Codec codec, Packet said) {
        Map<String, Fields> found = new LinkedHashMap<>();
        for (Packet.Option option : said.options()) {
            codec.nameOf(option).ifPresent(name -> found.put(name, codec.fieldsOf(option)));
        }
        return found;
    }
}
