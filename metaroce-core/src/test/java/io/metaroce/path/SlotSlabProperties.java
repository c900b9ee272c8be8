package io.metaroce.path;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** The store of slots, against a set. */
class SlotSlabProperties {
    /** Steps: even ones take a slot, odd ones give back one of those taken. */
    @Property(tries = 300)
    void noSlotIsTakenTwiceAndNoneIsLost(
            @ForAll @IntRange(min = 0, max = 12) int capacity,
            @ForAll @Size(max = 100) List<@IntRange(min = 0, max = 1000) Integer> steps) {
        SlotSlab slab = new SlotSlab(capacity);
        List<Integer> taken = new ArrayList<>();
        for (int step : steps) {
            if (step % 2 == 0) {
                int slot = slab.take();
                if (taken.size() == capacity) {
                    assertThat(slot).isEqualTo(SlotSlab.NONE);
                } else {
                    assertThat(slot).isBetween(0, capacity - 1);
                    assertThat(slab.transmissions(slot)).isZero();
                    assertThat(slab.isInFlight(slot)).isFalse();
                    slab.transmissions[slot] = 3; // and whatever else its user leaves behind
                    slab.passed[slot] = true;
                    slab.lostByGap[slot] = true;
                    taken.add(slot);
                }
            } else if (!taken.isEmpty()) {
                slab.free(taken.remove(step % taken.size()));
            }
            Set<Integer> different = new HashSet<>(taken);
            assertThat(different).hasSameSizeAs(taken);
            assertThat(slab.available()).isEqualTo(capacity - taken.size());
        }
    }

    @Property(tries = 50)
    void aSlotIsAsNewWhenItIsTakenAgain(@ForAll @IntRange(min = 1, max = 12) int capacity) {
        SlotSlab slab = new SlotSlab(capacity);
        for (int i = 0; i < 3 * capacity; i++) {
            int slot = slab.take();
            assertThat(slab.passed[slot] || slab.lostByGap[slot]).isFalse();
            slab.passed[slot] = true;
            slab.lostByGap[slot] = true;
            slab.free(slot);
        }
    }
}
