package io.metaroce.num;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class Bitmap256Properties {
    /** Steps 0..255 set a bit; 256 + n shifts down by n; 513 clears. */
    @Property
    void agreesWithABitSet(@ForAll @Size(max = 60) List<@IntRange(max = 513) Integer> steps) {
        Bitmap256 bitmap = new Bitmap256();
        BitSet model = new BitSet();
        for (int step : steps) {
            if (step < 256) {
                bitmap.set(step);
                model.set(step);
            } else if (step <= 512) {
                bitmap.shiftDown(step - 256);
                model = model.get(step - 256, 256);
            } else {
                bitmap.clear();
                model.clear();
            }
            assertSame(bitmap, model);
        }
    }

    @Property
    void countsARunOfOnesFromTheBottom(@ForAll @IntRange(max = 256) int run) {
        Bitmap256 bitmap = new Bitmap256();
        for (int i = 0; i < run; i++) {
            bitmap.set(i);
        }
        assertThat(bitmap.trailingOnes()).isEqualTo(run);
        assertThat(bitmap.highestOne()).isEqualTo(run - 1);
        bitmap.shiftDown(run);
        assertThat(bitmap.highestOne()).isEqualTo(-1);
    }

    @Example
    void bitsStandInWordsFromTheLeastSignificant() {
        Bitmap256 bitmap = new Bitmap256();
        bitmap.set(0);
        bitmap.set(65);
        bitmap.set(255);
        assertThat(bitmap.word(0)).isEqualTo(1L);
        assertThat(bitmap.word(1)).isEqualTo(2L);
        assertThat(bitmap.word(2)).isZero();
        assertThat(bitmap.word(3)).isEqualTo(Long.MIN_VALUE);
    }

    private static void assertSame(Bitmap256 bitmap, BitSet model) {
        for (int i = 0; i < Bitmap256.WIDTH; i++) {
            assertThat(bitmap.get(i)).as("bit %s", i).isEqualTo(model.get(i));
        }
        assertThat(bitmap.trailingOnes()).isEqualTo(model.nextClearBit(0));
        assertThat(bitmap.highestOne()).isEqualTo(model.length() - 1);
    }
}
