package io.metaroce.compliance.cosim;

import io.metaroce.compliance.lt.codec.Codec;
import io.metaroce.compliance.lt.codec.Fields;
import io.metaroce.compliance.lt.codec.Packet;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Stamps and challenges are every sender's own, and come back from its peer. Before a report about a device's packets
 * enters the model, the stamps and challenges of the device in it are replaced by those of the same transmission of the
 * model: the n-th time a slot or a probe left. What has no counterpart stays as it is.
 */
final class Echoes {
    private static final int KEPT_MAX = 1 << 13;
    private static final int ACK = 0x10;
    private static final int PROBE = 0x12;
    private static final int IN_PATH = 0x80;
    private static final int CHALLENGE = 0x40;
    private static final int PROBE_BYTES = 32;

    private final Codec codec;
    private final Map<Sent, List<Integer>> modelStamps = kept();
    private final Map<Sent, Integer> deviceCounts = kept();
    private final Map<Stamp, Origin> deviceStamps = kept();
    private final Map<Asked, List<Long>> modelChallenges = kept();
    private final Map<Asked, Integer> deviceAsked = kept();
    private final Map<Long, Challenge> deviceChallenges = kept();

    /** What was sent: a slot, or a probe in its path. */
    private record Sent(int connection, int path, int psn, boolean isProbe) {}

    /** A stamp of the device. */
    private record Stamp(int connection, int path, int value) {}

    /** Which transmission it was, counted from 0. */
    private record Origin(Sent sent, int index) {}

    /** A question: challenges are told apart by how long their probes are. */
    private record Asked(int connection, int length) {}

    /** Which question it was, counted from 0. */
    private record Challenge(Asked asked, int index) {}

    Echoes(Codec codec) {
        this.codec = codec;
    }

    private static <K, V> Map<K, V> kept() {
        return new LinkedHashMap<>() {
            private static final long serialVersionUID = 1;

            @Override
            protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
                return size() > KEPT_MAX;
            }
        };
    }

    Echoes copy() {
        Echoes copy = new Echoes(codec);
        modelStamps.forEach((sent, stamps) -> copy.modelStamps.put(sent, new ArrayList<>(stamps)));
        modelChallenges.forEach((asked, values) -> copy.modelChallenges.put(asked, new ArrayList<>(values)));
        copy.deviceCounts.putAll(deviceCounts);
        copy.deviceStamps.putAll(deviceStamps);
        copy.deviceAsked.putAll(deviceAsked);
        copy.deviceChallenges.putAll(deviceChallenges);
        return copy;
    }

    /** The model sends a packet. */
    void ofModel(byte[] bytes) {
        ByteBuffer packet = ByteBuffer.wrap(bytes);
        Sent sent = sent(packet);
        if (sent != null) {
            modelStamps.computeIfAbsent(sent, key -> new ArrayList<>()).add(packet.getInt(12));
        }
        Asked asked = asked(packet);
        if (asked != null) {
            modelChallenges.computeIfAbsent(asked, key -> new ArrayList<>()).add(packet.getLong(20));
        }
    }

    /** The device sends a packet. */
    void ofDevice(byte[] bytes) {
        ByteBuffer packet = ByteBuffer.wrap(bytes);
        Sent sent = sent(packet);
        if (sent != null) {
            int index = deviceCounts.merge(sent, 1, Integer::sum) - 1;
            deviceStamps.put(new Stamp(sent.connection(), sent.path(), packet.getInt(12)), new Origin(sent, index));
        }
        Asked asked = asked(packet);
        if (asked != null) {
            int index = deviceAsked.merge(asked, 1, Integer::sum) - 1;
            deviceChallenges.put(packet.getLong(20), new Challenge(asked, index));
        }
    }

    private static @Nullable Sent sent(ByteBuffer packet) {
        if (packet.capacity() < 20) {
            return null;
        }
        int opcode = packet.get(1) & 0xFF;
        boolean isProbe = opcode == PROBE && (packet.get(16) & IN_PATH) != 0;
        boolean isSlot = opcode >= 0x20 && opcode < 0x80;
        return isProbe || isSlot
                ? new Sent(packet.getInt(4), packet.get(2) & 0xFF, isProbe ? 0 : packet.getInt(8), isProbe)
                : null;
    }

    private static @Nullable Asked asked(ByteBuffer packet) {
        boolean isAsking = packet.capacity() >= PROBE_BYTES
                && (packet.get(1) & 0xFF) == PROBE
                && (packet.get(16) & CHALLENGE) != 0;
        return isAsking ? new Asked(packet.getInt(4), packet.capacity()) : null;
    }

    /** The same report as the model would have got it. */
    byte[] forModel(byte[] bytes, int seed, int peerId) {
        if (bytes.length < 28 || (bytes[1] & 0xFF) != ACK || (deviceStamps.isEmpty() && deviceChallenges.isEmpty())) {
            return bytes;
        }
        Codec.Decoded decoded = codec.decode(bytes, seed);
        if (decoded.drop() != null || decoded.packet() == null) {
            return bytes;
        }
        Packet packet = decoded.packet();
        List<Fields> blocks = packet.fields().list("path_blocks");
        boolean isChanged = false;
        for (Fields block : blocks) {
            Integer stamp = stamp(block, peerId);
            if (stamp != null) {
                block.put("echo_stamp", Integer.toUnsignedLong(stamp));
                isChanged = true;
            }
        }
        packet.fields().put("path_blocks", blocks);
        isChanged |= answers(packet);
        return isChanged ? codec.encode(packet, seed) : bytes;
    }

    private @Nullable Integer stamp(Fields block, int peerId) {
        Origin origin = deviceStamps.get(new Stamp(peerId, (int) block.get("path_id"), block.int32("echo_stamp")));
        List<Integer> own = origin == null ? null : modelStamps.get(origin.sent());
        return own == null || origin == null ? null : own.get(Math.min(origin.index(), own.size() - 1));
    }

    private boolean answers(Packet packet) {
        boolean isChanged = false;
        for (int i = 0; i < packet.options().size(); i++) {
            Packet.Option option = packet.options().get(i);
            if (codec.nameOf(option).orElse("").equals("PROBE_ECHO")) {
                Challenge challenge =
                        deviceChallenges.get(codec.fieldsOf(option).get("challenge"));
                List<Long> own = challenge == null ? null : modelChallenges.get(challenge.asked());
                if (own != null && challenge != null) {
                    long value = own.get(Math.min(challenge.index(), own.size() - 1));
                    byte[] bytes = codec.optionValue("PROBE_ECHO", new Fields().put("challenge", value));
                    packet.options().set(i, new Packet.Option(option.type(), bytes));
                    isChanged = true;
                }
            }
        }
        return isChanged;
    }
}
