package io.metaroce.sim;

import io.metaroce.num.SplitMix64;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A table from long to object: open addressing, no removal, nothing allocated when asked. */
final class LongTable<V> {
    private static final int NONE = -1;

    private final List<V> values = new ArrayList<>();
    private long[] keys = new long[16];
    private int[] indexes = new int[16]; // into values
    private int size;

    LongTable() {
        Arrays.fill(indexes, NONE);
    }

    @Nullable
    V get(long key) {
        int index = indexes[find(key)];
        return index == NONE ? null : values.get(index);
    }

    /** Sets or replaces. */
    void put(long key, V value) {
        int place = find(key);
        if (indexes[place] != NONE) {
            values.set(indexes[place], value);
            return;
        }
        keys[place] = key;
        indexes[place] = values.size();
        values.add(value);
        if (2 * ++size > keys.length) {
            grow();
        }
    }

    private int find(long key) {
        int mask = keys.length - 1;
        int place = (int) SplitMix64.mix(key) & mask;
        while (indexes[place] != NONE && keys[place] != key) {
            place = (place + 1) & mask;
        }
        return place;
    }

    private void grow() {
        long[] oldKeys = keys;
        int[] oldIndexes = indexes;
        keys = new long[2 * oldKeys.length];
        indexes = new int[keys.length];
        Arrays.fill(indexes, NONE);
        for (int i = 0; i < oldKeys.length; i++) {
            if (oldIndexes[i] != NONE) {
                int place = find(oldKeys[i]);
                keys[place] = oldKeys[i];
                indexes[place] = oldIndexes[i];
            }
        }
    }
}
