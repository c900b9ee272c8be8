package io.metaroce.compliance.cosim;

import io.metaroce.compliance.adapter.model.ChoicePoint;
import io.metaroce.compliance.adapter.model.Field;
import io.metaroce.compliance.adapter.model.Happening;
import io.metaroce.compliance.adapter.model.Kind;
import io.metaroce.compliance.adapter.model.Model;
import io.metaroce.compliance.adapter.model.ModelSetup;
import io.metaroce.compliance.adapter.model.Names;
import io.metaroce.compliance.adapter.model.RecordLog;
import io.metaroce.compliance.adapter.model.RecordText;
import io.metaroce.compliance.adapter.model.Refused;
import io.metaroce.compliance.adapter.model.Told;
import io.metaroce.compliance.lt.codec.Codec;
import io.metaroce.compliance.spec.Json;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;

/**
 * What the model did and a device has not told yet, by lanes: verdicts, placements, completions, states, packets. A
 * device tells each lane in its order; a lane it never tells is not compared. In mode predict there is one lane.
 */
final class Comparison {
    private static final int LANE_MAX = 1 << 13; // more than a reply holds
    private static final int PACKETS_MAX = 1 << 12; // of some kilobytes each
    private static final int LAST = 8;
    private static final byte[] NOTHING = new byte[0];

    private final Model model;
    private final TxCheck departures;
    private final Echoes echoes;
    private final boolean isPredicting;
    private final Map<Lane, ArrayDeque<Entry>> lanes = new EnumMap<>(Lane.class);
    private final Set<Lane> overrun = EnumSet.noneOf(Lane.class);
    private final ArrayDeque<Entry> last = new ArrayDeque<>();
    private boolean tellsPlacements;
    private @Nullable Entry lastArrival;

    /** What keeps an order of its own. */
    private enum Lane {
        VERDICTS,
        PLACEMENTS,
        COMPLETIONS,
        STATES,
        PACKETS,
        ALL
    }

    /**
     * A record of the model.
     *
     * @param order its place among all
     * @param record 64 bytes
     * @param bytes of the packet, if it is one
     */
    @SuppressWarnings("ArrayRecordComponent") // kept, never compared
    record Entry(int order, Kind kind, ByteBuffer record, byte[] bytes) {}

    Comparison(Model model, Codec codec) {
        this(model, new TxCheck(codec), new Echoes(codec));
    }

    private Comparison(Model model, TxCheck departures, Echoes echoes) {
        this.model = model;
        this.echoes = echoes;
        this.departures = departures;
        isPredicting = model.setup().mode() == ModelSetup.Mode.PREDICT;
        for (Lane lane : Lane.values()) {
            lanes.put(lane, new ArrayDeque<>());
        }
    }

    Comparison copy(Model of) {
        Comparison copy = new Comparison(of, departures.copy(), echoes.copy());
        lanes.forEach((lane, entries) -> copy.lane(lane).addAll(entries));
        copy.overrun.addAll(overrun);
        copy.last.addAll(last);
        copy.tellsPlacements = tellsPlacements;
        copy.lastArrival = lastArrival;
        return copy;
    }

    private ArrayDeque<Entry> lane(Lane lane) {
        ArrayDeque<Entry> entries = lanes.get(lane);
        if (entries == null) {
            throw new IllegalStateException("every lane is there");
        }
        return entries;
    }

    private Lane laneOf(Kind kind) {
        if (isPredicting) {
            return Lane.ALL;
        }
        return switch (kind) {
            case RX_ACCEPT, RX_DROP -> Lane.VERDICTS;
            case PLACE -> Lane.PLACEMENTS;
            case CQE -> Lane.COMPLETIONS;
            case STATE -> Lane.STATES;
            case TX -> Lane.PACKETS;
            case TIMER_FIRE, COUNTER, RX, ADVANCE, CHOICE -> Lane.ALL;
        };
    }

    // ---- what the model does

    void note(RecordLog log) {
        int bytesAt = 0;
        boolean hasData = model.setup().data();
        for (int i = 0; i < log.count(); i++) {
            byte[] copy = new byte[RecordLog.RECORD_BYTES];
            log.records().get(i * RecordLog.RECORD_BYTES, copy);
            ByteBuffer record = ByteBuffer.wrap(copy).order(ByteOrder.LITTLE_ENDIAN);
            Kind kind = RecordText.kind(record);
            int length = kind == Kind.TX || (kind == Kind.PLACE && hasData) ? record.getInt(RecordLog.LEN) : 0;
            byte[] bytes =
                    kind == Kind.TX ? Arrays.copyOfRange(log.blob().array(), bytesAt, bytesAt + length) : NOTHING;
            bytesAt += length;
            note(new Entry(record.getInt(RecordLog.ORDER), kind, record, bytes));
        }
    }

    private void note(Entry entry) {
        last.addLast(entry);
        if (last.size() > LAST) {
            last.removeFirst();
        }
        if (entry.kind() == Kind.TX && !isPredicting) {
            departures.learnOfDevice(entry.bytes());
            echoes.ofModel(entry.bytes());
        }
        if (!isCompared(entry)) {
            return;
        }
        Lane lane = laneOf(entry.kind());
        ArrayDeque<Entry> entries = lane(lane);
        entries.addLast(entry);
        if (entries.size() > max(lane)) {
            entries.removeFirst();
            overrun.add(lane);
        }
        if (entry.kind() == Kind.RX_ACCEPT || entry.kind() == Kind.RX_DROP) {
            lastArrival = entry;
        }
    }

    private static int max(Lane lane) {
        return lane == Lane.PACKETS ? PACKETS_MAX : LANE_MAX;
    }

    private boolean isCompared(Entry entry) {
        return switch (entry.kind()) {
            case COUNTER, RX, ADVANCE, CHOICE -> false;
            case TIMER_FIRE -> isPredicting;
            case STATE -> Happening.of(entry.record().getLong(RecordLog.ARG0)).isCompared();
            // A followed device spreads and reports as it likes: only slots on a single path have their order.
            case TX -> isPredicting || (model.setup().paths() == 1 && departures.isNewSlot(entry.bytes()));
            case RX_ACCEPT, RX_DROP, PLACE, CQE -> true;
        };
    }

    /** The last records of the model, oldest first. */
    ArrayNode last() {
        ArrayNode out = Json.array();
        last.forEach(entry -> out.add(RecordText.of(entry.record(), model.setup())));
        return out;
    }

    // ---- what a device tells

    /** A packet arrives at the device; answers with what arrives at the model. */
    byte[] arrives(byte[] bytes) {
        departures.learnOfPeer(bytes);
        if (isPredicting || bytes.length < 8) {
            return bytes;
        }
        int connection = ByteBuffer.wrap(bytes).getInt(4);
        return echoes.forModel(bytes, departures.seed(connection), model.peerId(connection));
    }

    /** A choice that only the comparison can judge. */
    void choose(int point, long value) {
        if (point == ChoicePoint.CQE_BATCH.number()) {
            long pending = lane(Lane.COMPLETIONS).size();
            if (value < 1 || value > pending) {
                ArrayNode legal = Json.array();
                for (long i = 1; i <= pending; i++) {
                    legal.add(i);
                }
                throw new Refused(
                        "E_FORBIDDEN",
                        value + " completions, and " + pending + " are due",
                        Json.object().put("requirement", "R-ORD-006").set("legal", legal));
            }
        }
    }

    /** Compares; answers with how far that went. */
    String expect(Told told) {
        Kind kind = told.kind();
        if (kind.isInput() || kind == Kind.COUNTER) {
            throw new Refused("E_ARG", kind + " is nothing to expect");
        }
        if (kind == Kind.STATE && !Happening.of(told.arg0()).isCompared()) {
            throw new Refused("E_UNSUPPORTED", Happening.of(told.arg0()).label() + " is every implementation's own");
        }
        if (kind == Kind.TIMER_FIRE && !isPredicting) {
            throw new Refused(
                    "E_UNSUPPORTED",
                    "which timers there are is every implementation's own: tell the choice" + " timer_fire_time");
        }
        Lane lane = laneOf(kind);
        if (overrun.contains(lane)) {
            throw new Refused("E_LIMIT", "more than " + max(lane) + " records were not told in time");
        }
        if (isPredicting) {
            return predicted(told);
        }
        if (kind == Kind.TX) {
            echoes.ofDevice(told.bytes());
            return departures.follow(told, lane(lane), model, this::last);
        }
        tellsPlacements |= kind == Kind.PLACE;
        Entry entry = lane(lane).peekFirst();
        if (entry == null) {
            throw Mismatch.of("kind", "nothing", kind.name(), surplus(told), last());
        }
        if (kind == Kind.CQE && tellsPlacements) {
            requirePlaced(entry);
        }
        compare(told, entry);
        Entry unused = lane(lane).removeFirst();
        return "fields";
    }

    // R-SACK-002's sister for completions: what is told as complete is in memory.
    private void requirePlaced(Entry completion) {
        Entry placement = lane(Lane.PLACEMENTS).peekFirst();
        if (placement != null && placement.order() - completion.order() < 0) {
            throw Mismatch.of(
                    "kind", RecordText.of(placement.record(), model.setup()).toString(), "CQE", "R-ORD-001", last());
        }
    }

    /** What a device violates that does what the model does not. */
    private String surplus(Told told) {
        return switch (told.kind()) {
            case PLACE -> {
                Entry arrival = lastArrival;
                if (arrival != null && arrival.kind() == Kind.RX_DROP) {
                    yield Names.dropRequirement(arrival.record().get(RecordLog.REASON));
                }
                yield arrival != null && arrival.record().getShort(RecordLog.FLAGS) != 0 ? "R-MEM-001" : "R-MEM-003";
            }
            case CQE -> "R-ORD-006";
            case STATE -> "R-CONN-003";
            default -> "R-OBS-003";
        };
    }

    /** What a device violates that does not do what the model does now. */
    private String missing(Entry entry) {
        return switch (entry.kind()) {
            case PLACE -> "R-ORD-001";
            case CQE -> "R-ORD-006";
            case STATE -> "R-CONN-003";
            case TX -> departures.requirementAt(entry.bytes(), 1);
            case TIMER_FIRE -> "R-CC-014"; // equal inputs, equal times
            default -> "R-OBS-003";
        };
    }

    private void compare(Told told, Entry entry) {
        if (told.kind() != entry.kind()) {
            boolean isDropped = entry.kind() == Kind.RX_DROP;
            int reason = (isDropped ? entry.record() : told.record()).get(RecordLog.REASON);
            boolean isVerdict = isDropped || told.kind() == Kind.RX_DROP;
            throw Mismatch.of(
                    "kind",
                    RecordText.of(entry.record(), model.setup()).toString(),
                    told.kind().name(),
                    isVerdict ? Names.dropRequirement(reason) : missing(entry),
                    last());
        }
        for (Field field : told.fields()) {
            long expected = field.get(entry.record());
            long got = field.get(told.record());
            if (expected != got) {
                throw Mismatch.of(
                        field.name(),
                        Long.toUnsignedString(expected),
                        Long.toUnsignedString(got),
                        requirement(field, entry),
                        last());
            }
        }
    }

    private static String requirement(Field field, Entry entry) {
        if (field.name().equals("reason") && entry.kind() == Kind.RX_DROP) {
            return Names.dropRequirement(entry.record().get(RecordLog.REASON));
        }
        boolean isReceive = entry.kind() == Kind.CQE && (entry.record().getLong(RecordLog.ARG0) & 128) != 0;
        return field.name().equals("wr") && isReceive ? "R-ORD-002" : field.requirement();
    }

    private String predicted(Told told) {
        Entry entry = lane(Lane.ALL).peekFirst();
        if (entry == null) {
            throw Mismatch.of("kind", "nothing", told.kind().name(), surplus(told), last());
        }
        compare(told, entry);
        if (told.kind() == Kind.TX && told.bytes().length > 0) {
            int at = Arrays.mismatch(entry.bytes(), told.bytes());
            if (at >= 0) {
                throw Mismatch.of(
                        "byte " + at,
                        byteAt(entry.bytes(), at),
                        byteAt(told.bytes(), at),
                        departures.requirementAt(entry.bytes(), at),
                        last());
            }
        }
        Entry unused = lane(Lane.ALL).removeFirst();
        return told.kind() == Kind.TX && told.bytes().length > 0 ? "bytes" : "fields";
    }

    private static String byteAt(byte[] bytes, int at) {
        return at < bytes.length ? "0x%02x".formatted(bytes[at]) : "end";
    }
}
