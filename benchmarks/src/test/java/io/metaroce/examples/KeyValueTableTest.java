package io.metaroce.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The table that others read while it is changed. */
final class KeyValueTableTest {
    private final ByteBuffer table = ByteBuffer.allocate(KeyValueTable.SLOTS * KeyValueTable.SLOT_BYTES);
    private final Random random = new Random(7);

    private ByteBuffer value() {
        byte[] bytes = new byte[KeyValueTable.VALUE_BYTES];
        random.nextBytes(bytes);
        return ByteBuffer.wrap(bytes);
    }

    private ByteBuffer slotOf(long key) {
        return table.slice(KeyValueTable.slot(key, 0), KeyValueTable.SLOT_BYTES);
    }

    @Test
    void aSlotMadeOfTwoVersionsIsTornWhereverTheyMeet() {
        long first = KeyValueTable.put(table, 42, value());
        byte[] before = new byte[KeyValueTable.SLOT_BYTES];
        slotOf(42).get(before);
        long second = KeyValueTable.put(table, 42, value());
        assertThat(first).isEqualTo(1);
        assertThat(second).isEqualTo(2);
        assertThat(KeyValueTable.isWhole(ByteBuffer.wrap(before))).isTrue();
        assertThat(KeyValueTable.isWhole(slotOf(42))).isTrue();
        int end = KeyValueTable.VALUE + KeyValueTable.VALUE_BYTES + Integer.BYTES;
        for (int border = KeyValueTable.VERSION + Long.BYTES; border < end; border += Long.BYTES) {
            ByteBuffer newer = ByteBuffer.allocate(KeyValueTable.SLOT_BYTES).put(slotOf(42));
            ByteBuffer older = ByteBuffer.allocate(KeyValueTable.SLOT_BYTES).put(before);
            newer.put(border, before, border, end - border);
            older.put(border, slotOf(42), border, end - border);
            assertThat(KeyValueTable.isWhole(newer))
                    .as("old from byte %s on", border)
                    .isFalse();
            assertThat(KeyValueTable.isWhole(older))
                    .as("new from byte %s on", border)
                    .isFalse();
        }
    }

    @Test
    void asManyKeysAsSlotsFindAPlaceAndOneMoreDoesNot() {
        for (long key = 0; key < KeyValueTable.SLOTS; key++) {
            assertThat(KeyValueTable.put(table, key * key, value())).isEqualTo(1);
        }
        assertThat(KeyValueTable.put(table, -1, value())).isZero();
        assertThat(KeyValueTable.put(table, 9, value())).isEqualTo(2);
    }
}
