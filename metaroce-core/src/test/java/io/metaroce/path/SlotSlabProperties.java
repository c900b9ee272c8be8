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
                int slot = slab.take(7, SlotSlab.NONE);
                if (taken.size() == capacity) {
                    assertThat(slot).isEqualTo(SlotSlab.NONE);
                } else {
                    assertThat(slot).isBetween(0, capacity - 1);
                    assertThat(slab.transmissions(slot)).isZero();
                    assertThat(slab.isInFlight(slot)).isFalse();
                    slab.sent(slot, 1, 2, 3, 4); // and whatever else its user leaves behind
                    slab.passed(slot, 5);
                    slab.lostByGap(slot, true);
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
            int slot = slab.take(7, SlotSlab.NONE);
            assertThat(slab.isPassed(slot) || slab.isLostByGap(slot)).isFalse();
            assertThat(slab.transmissions(slot)).isZero();
            assertThat(slab.psnNext(slot)).isEqualTo(SlotSlab.NONE);
            slab.sent(slot, 1, 2, 3, 4);
            slab.passed(slot, 5);
            slab.lostByGap(slot, true);
            slab.free(slot);
        }
    }

    /** What is kept in one word does not touch its neighbours. */
    @Property(tries = 200)
    void stateEpochAndMarksOfASlotAreIndependent(
            @ForAll @IntRange(min = 0, max = 3) int state,
            @ForAll @IntRange(min = 0, max = 255) int epoch,
            @ForAll boolean passed,
            @ForAll boolean lostByGap) {
        SlotSlab slab = new SlotSlab(3);
        slab.take(7, SlotSlab.NONE);
        int slot = slab.take(8, 0);
        slab.sent(slot, 11, 255 - epoch, 12, 13);
        if (passed) {
            slab.passed(slot, 14);
        }
        slab.lostByGap(slot, !lostByGap);
        slab.state(slot, 3 - state);
        slab.epoch(slot, epoch);
        slab.lostByGap(slot, lostByGap);
        slab.state(slot, state);

        assertThat(slab.state(slot)).isEqualTo(state);
        assertThat(slab.epoch(slot)).isEqualTo(epoch);
        assertThat(slab.isPassed(slot)).isEqualTo(passed);
        assertThat(slab.isLostByGap(slot)).isEqualTo(lostByGap);
        assertThat(slab.psn(slot)).isEqualTo(8);
        assertThat(slab.stamp(slot)).isEqualTo(11);
        assertThat(slab.costBytes(slot)).isEqualTo(12);
        assertThat(slab.order(slot)).isEqualTo(13);
        assertThat(slab.psnPrevious(slot)).isZero();
        assertThat(slab.psn(0)).isEqualTo(7);
        assertThat(slab.state(0)).isEqualTo(SlotSlab.OPENED);
    }
}
