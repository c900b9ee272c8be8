package io.metaroce.examples;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The table of {@link KeyValueStore}: slots of one size, so that a reader far away computes where a key is.
 *
 * <p>A READ may meet a slot that is being changed. Its bytes are fetched in any order, and those of a lost packet once
 * more, later; so equal version words before and after the value would prove nothing about what lies between. A
 * checksum over everything does: a slot that does not fit its own is torn, and is read again.
 */
final class KeyValueTable {
    /** Slots; a power of two. */
    static final int SLOTS = 256;

    // A slot: key, version (0: empty; one more with each PUT), value, CRC32C of all before it, four bytes unused.
    static final int KEY = 0;
    static final int VERSION = 8;
    static final int VALUE = 16;
    static final int VALUE_BYTES = 16_000;
    private static final int CRC = VALUE + VALUE_BYTES;
    static final int SLOT_BYTES = CRC + 8;
    static final int PUT_BYTES = 8 + VALUE_BYTES; // a message that puts: key, value

    private KeyValueTable() {}

    /** Where to look for a key: in the slot of its hash, then in those behind it. */
    static int slot(long key, int probe) {
        int hash = Long.hashCode(key * 0x9E37_79B9_7F4A_7C15L);
        return ((hash + probe) & (SLOTS - 1)) * SLOT_BYTES;
    }

    /** Changes the slot of a key and returns its new version, or 0 when the table is full. One thread at a time. */
    static long put(ByteBuffer table, long key, ByteBuffer value) {
        for (int probe = 0; probe < SLOTS; probe++) {
            int at = slot(key, probe);
            long version = table.getLong(at + VERSION);
            if (version == 0 || table.getLong(at + KEY) == key) {
                table.putLong(at + KEY, key);
                table.putLong(at + VERSION, version + 1);
                table.put(at + VALUE, value, value.position(), VALUE_BYTES);
                table.putInt(at + CRC, checksum(table, at));
                return version + 1;
            }
        }
        return 0;
    }

    /** Whether a slot that was read is one that has been. */
    static boolean isWhole(ByteBuffer slot) {
        return slot.getLong(VERSION) == 0 || slot.getInt(CRC) == checksum(slot, 0);
    }

    private static int checksum(ByteBuffer table, int at) {
        CRC32C crc = new CRC32C();
        crc.update(table.slice(at, CRC));
        return (int) crc.getValue();
    }
}
