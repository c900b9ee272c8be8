package io.metaroce.num;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Against a set of numbers, for every width and on both sides of the wrap. */
class BitRingProperties {
    /** Every fourth step takes the run at the edge and moves the edge behind it; the others set or clear a number. */
    @Property(tries = 300)
    void agreesWithASetOfNumbers(
            @ForAll @IntRange(max = 3) int widthLog,
            @ForAll @IntRange(min = -300, max = 300) int first,
            @ForAll @Size(max = 200) List<@IntRange(max = 1023) Integer> steps) {
        BitRing ring = new BitRing(64 << widthLog);
        TreeSet<Long> model = new TreeSet<>();
        long edge = first; // in the model numbers do not wrap
        for (int step : steps) {
            if (step % 4 != 0) {
                long n = edge + step % (step % 2 == 0 ? 5 : ring.width());
                if (step % 8 == 6) {
                    ring.clear((int) n);
                    model.remove(n);
                } else {
                    ring.set((int) n);
                    model.add(n);
                }
            } else {
                int run = ring.clearRun((int) edge);
                while (model.remove(edge)) {
                    edge++;
                    run--;
                }
                assertThat(run).isZero();
            }
            assertSame(ring, model, edge);
        }
    }

    @Example
    void aFullRingIsClearedOnceRound() {
        for (int width = 64; width <= 32_768; width *= 2) {
            BitRing ring = new BitRing(width);
            for (int n = 0; n < width; n++) {
                ring.set(n - 77);
            }
            assertThat(ring.word(-77)).isEqualTo(-1L);
            assertThat(ring.clearRun(-77)).isEqualTo(width);
            assertThat(ring.clearRun(-77)).isZero();
            assertThat(ring.width()).isEqualTo(width);
        }
    }

    @Example
    void otherWidthsAreRefused() {
        for (int width : new int[] {-1, 0, 32, 96, 255}) {
            assertThatThrownBy(() -> new BitRing(width)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    private static void assertSame(BitRing ring, Set<Long> model, long edge) {
        for (int offset = 0; offset < ring.width(); offset += 64) {
            long word = ring.word((int) edge + offset);
            for (int i = 0; i < 64; i++) {
                boolean isSet = ((word >>> i) & 1) != 0;
                assertThat(isSet)
                        .isEqualTo(model.contains(edge + offset + i))
                        .isEqualTo(ring.get((int) edge + offset + i));
            }
        }
    }
}
