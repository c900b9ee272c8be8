package io.metaroce.path;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.wire.PathBlock;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** What a report takes for lost, against the same rule in numbers that never wrap. */
class LossRuleProperties {
    private static final int SLOTS = 40;

    /** A slot as it was sent last; the steps lead from the stamp before. */
    private record Sent(int stampStep, int epoch, boolean flies) {}

    @Provide
    Arbitrary<List<Sent>> sent() {
        return Combinators.combine(
                        Arbitraries.integers().between(1, 3),
                        Arbitraries.integers().between(254, 256),
                        Arbitraries.of(true, true, true, false))
                .as(Sent::new)
                .list()
                .ofMaxSize(SLOTS);
    }

    @Property(tries = 500)
    @Covers({"R-LOSS-001", "R-LOSS-007", "R-LOSS-009", "R-PATH-002"})
    void agreesWithTheRuleInNumbersThatNeverWrap(
            @ForAll("sent") List<Sent> sent,
            @ForAll @Size(8) List<@IntRange(min = 0, max = SLOTS - 1) Integer> resends,
            @ForAll @IntRange(min = 0, max = 130) int echoAhead,
            @ForAll @IntRange(min = 0, max = 10) int offset,
            @ForAll @IntRange(min = 0, max = SLOTS) int covered,
            @ForAll @IntRange(min = -20, max = 20) int around) {
        for (long first : new long[] {0, 1L << 31, 1L << 32, 7 << 20}) {
            check(sent, resends, first + around, first + around + echoAhead, offset, covered);
        }
    }

    private static void check(List<Sent> sent, List<Integer> resends, long first, long echo, int offset, int covered) {
        SlotSlab slab = new SlotSlab(SLOTS);
        TxSlots slots = new TxSlots(slab, new Pending());
        PathRow row = Rows.of(0);
        slots.begin(row, (int) first);
        long[] stamps = new long[sent.size()];
        int[] numbers = new int[sent.size()];
        List<Integer> order = new ArrayList<>(); // indices in flight by transmission
        Losses told = new Losses();
        long stamp = first;
        for (int i = 0; i < sent.size(); i++) {
            stamp += sent.get(i).stampStep();
            stamps[i] = stamp;
            numbers[i] = slots.open(row);
            slots.transmitted(row, numbers[i], (int) stamp, sent.get(i).epoch(), 1);
            order.add(i);
        }
        for (int i : resends) {
            if (i < sent.size()) {
                stamps[i] = ++stamp;
                slots.transmitted(row, numbers[i], (int) stamp, sent.get(i).epoch(), 1);
                order.remove((Integer) i);
                order.add(i);
            }
        }
        for (int i = 0; i < sent.size(); i++) {
            if (!sent.get(i).flies()) {
                slots.lose(row, numbers[i], told);
                order.remove((Integer) i);
            }
        }
        int nowEpoch = 0;
        List<Integer> expected = new ArrayList<>();
        for (int i : order) {
            boolean isCovered = i >= offset && i < offset + covered;
            if (stamps[i] < echo && isCovered && sent.get(i).epoch() % 256 == nowEpoch) {
                expected.add(numbers[i]);
            }
        }
        told.lost.clear();
        PathBlock block = Blocks.of((int) first, "", (int) echo, nowEpoch).sackOffset(offset);
        LossRule.judge(0, row, slots, block, nowEpoch, covered, null, told);
        assertThat(told.lost).isEqualTo(expected);
        assertThat(slots.queued(row)).isEqualTo(sent.size() - order.size() + expected.size());
    }

    private static final class Losses implements TxSlots.Outcome {
        private final List<Integer> lost = new ArrayList<>();

        @Override
        public void acked(int slot) {
            throw new AssertionError("nothing is acknowledged");
        }

        @Override
        public void lost(int slot) {
            lost.add(slot);
        }
    }
}
