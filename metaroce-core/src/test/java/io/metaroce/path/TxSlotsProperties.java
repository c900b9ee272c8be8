package io.metaroce.path;

import static io.metaroce.path.SlotSlab.NONE;
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
import net.jqwik.api.Tuple;
import org.jspecify.annotations.Nullable;

/** The chained slots of two paths in one small store, against lists that are searched from end to end. */
class TxSlotsProperties {
    private static final int SLOTS = 12;

    private enum Op {
        OPEN,
        TRANSMIT,
        MERGE,
        LOSE,
        RELEASE,
        LOSE_ALL,
        DISCARD
    }

    private record Step(Op op, int path, int pick, long bits, int cum, int offset) {}

    @Provide
    Arbitrary<List<Step>> steps() {
        Arbitrary<Op> ops = Arbitraries.frequencyOf(
                Tuple.of(8, Arbitraries.just(Op.OPEN)),
                Tuple.of(12, Arbitraries.just(Op.TRANSMIT)),
                Tuple.of(4, Arbitraries.just(Op.MERGE)),
                Tuple.of(4, Arbitraries.just(Op.LOSE)),
                Tuple.of(2, Arbitraries.just(Op.RELEASE)),
                Tuple.of(1, Arbitraries.just(Op.LOSE_ALL)),
                Tuple.of(1, Arbitraries.just(Op.DISCARD)));
        return Combinators.combine(
                        ops,
                        Arbitraries.integers().between(0, 1),
                        Arbitraries.integers().between(0, 1000),
                        Arbitraries.longs(),
                        Arbitraries.integers().between(-3, 8),
                        Arbitraries.integers().between(0, 70))
                .as(Step::new)
                .list()
                .ofMaxSize(150);
    }

    @Property(tries = 300)
    @Covers({"R-PATH-001", "R-PATH-014", "R-LOSS-002"})
    void agreesWithLists(@ForAll("steps") List<Step> steps) {
        SlotSlab slab = new SlotSlab(SLOTS);
        Pending pending = new Pending();
        TxSlots table = new TxSlots(slab, pending);
        Twin[] twins = {new Twin(slab, table, 0, -5), new Twin(slab, table, 1, Integer.MAX_VALUE - 4)};
        int stamp = 0;
        for (Step step : steps) {
            Twin twin = twins[step.path()];
            stamp++;
            switch (step.op()) {
                case OPEN -> twin.open(SLOTS - twins[0].model.size() - twins[1].model.size());
                case TRANSMIT -> twin.transmit(step.pick(), stamp);
                case MERGE -> twin.merge(step);
                case LOSE -> twin.lose(step.pick());
                case RELEASE -> twin.release(step.pick());
                case LOSE_ALL -> twin.loseAll(stamp & 0xFF);
                case DISCARD -> twin.discard();
            }
            for (Twin each : twins) {
                each.check();
            }
            assertThat(slab.available()).isEqualTo(SLOTS - twins[0].model.size() - twins[1].model.size());
            assertThat(pending.hasUnacked()).isEqualTo(slab.available() < SLOTS);
            assertThat(pending.hasQueued()).isEqualTo(twins[0].hasQueued() || twins[1].hasQueued());
        }
    }

    /** What is known of one unacknowledged slot. */
    private static final class Known {
        final int slot;
        final int psn;
        int sentAs = NONE; // ordinal of its latest transmission while that is in flight
        boolean queued;
        int epoch;
        int transmissions;

        Known(int slot, int psn) {
            this.slot = slot;
            this.psn = psn;
        }
    }

    /** The slots of one path and their slow model. */
    private static final class Twin implements TxSlots.Outcome {
        private final SlotSlab slab;
        private final TxSlots slots;
        private final PathRow row;
        private final List<Known> model = new ArrayList<>(); // by PSN
        private final List<Integer> told = new ArrayList<>();
        private int nextPsn;
        private int ordinal;

        Twin(SlotSlab slab, TxSlots slots, int path, int firstPsn) {
            this.slab = slab;
            this.slots = slots;
            this.row = Rows.of(path);
            slots.begin(row, firstPsn);
            nextPsn = firstPsn;
        }

        void open(int free) {
            int slot = slots.open(row);
            if (free == 0) {
                assertThat(slot).isEqualTo(NONE);
            } else {
                model.add(new Known(slot, nextPsn++));
            }
        }

        void transmit(int pick, int stamp) {
            Known known = pick(pick);
            if (known == null) {
                return;
            }
            known.sentAs = ordinal++;
            known.queued = false;
            known.epoch = stamp & 0xFF;
            known.transmissions++;
            slots.transmitted(row, known.slot, stamp, stamp & 0xFF, 100 + stamp);
            assertThat(slab.costBytes(known.slot)).isEqualTo(100 + stamp);
            assertThat(slab.isInFlight(known.slot)).isTrue();
        }

        void merge(Step step) {
            int cum = (model.isEmpty() ? nextPsn : model.get(0).psn) + step.cum();
            PathBlock block = Blocks.empty()
                    .cumPsn(cum)
                    .sackOffset(step.offset())
                    .words(1)
                    .bitmapWord(0, step.bits());
            List<Integer> expected = new ArrayList<>();
            for (Known known : List.copyOf(model)) {
                int bit = known.psn - cum - step.offset();
                boolean before = known.psn - cum < 0;
                if (before || (bit >= 0 && bit < 64 && ((step.bits() >>> bit) & 1) != 0)) {
                    expected.add(known.slot);
                    model.remove(known);
                }
            }
            told.clear();
            slots.merge(row, block, this);
            assertThat(told).isEqualTo(expected);
        }

        void lose(int pick) {
            Known known = pick(pick);
            if (known == null || known.sentAs == NONE) {
                return;
            }
            known.sentAs = NONE;
            known.queued = true;
            told.clear();
            slots.lose(row, known.slot, this);
            assertThat(told).containsExactly(-known.slot);
        }

        void release(int pick) {
            Known known = pick(pick);
            if (known == null) {
                return;
            }
            model.remove(known);
            told.clear();
            slots.release(row, known.slot, this);
            assertThat(told).containsExactly(known.slot);
        }

        void loseAll(int epoch) {
            List<Integer> expected = new ArrayList<>();
            for (Known known : inFlight()) {
                expected.add(-known.slot);
                known.sentAs = NONE;
                known.queued = true;
            }
            model.forEach(known -> known.epoch = epoch);
            told.clear();
            slots.loseAll(row, epoch, this);
            assertThat(told).isEqualTo(expected);
        }

        void discard() {
            model.clear();
            slots.discardAll(row);
        }

        void check() {
            assertThat(slots.nextPsn(row)).isEqualTo(nextPsn);
            assertThat(slots.unacked(row)).isEqualTo(model.size());
            assertThat(slots.span(row)).isEqualTo(model.isEmpty() ? 0 : nextPsn - model.get(0).psn);
            assertThat(slots.lowest(row)).isEqualTo(model.isEmpty() ? NONE : model.get(0).slot);
            checkNumbers();
            checkTransmissions();
            List<Known> queued = model.stream().filter(known -> known.queued).toList();
            assertThat(slots.queued(row)).isEqualTo(queued.size());
            assertThat(slots.firstQueued(row)).isEqualTo(queued.isEmpty() ? NONE : queued.get(0).slot);
        }

        private void checkNumbers() {
            int before = NONE;
            int slot = slots.lowest(row);
            for (Known known : model) {
                assertThat(slot).isEqualTo(known.slot);
                assertThat(slab.psnPrevious(slot)).isEqualTo(before);
                assertThat(slab.psn(slot)).isEqualTo(known.psn);
                assertThat(slab.transmissions(slot)).isEqualTo(known.transmissions);
                if (known.transmissions > 0) {
                    assertThat(slab.epoch(slot)).isEqualTo(known.epoch);
                }
                before = slot;
                slot = slab.psnNext(slot);
            }
            assertThat(slot).isEqualTo(NONE);
        }

        private void checkTransmissions() {
            int before = NONE;
            int slot = slots.oldestInFlight(row);
            for (Known known : inFlight()) {
                assertThat(slot).isEqualTo(known.slot);
                assertThat(slab.txPrevious(slot)).isEqualTo(before);
                before = slot;
                slot = slots.nextInFlight(slot);
            }
            assertThat(slot).isEqualTo(NONE);
            assertThat(slots.youngestInFlight(row)).isEqualTo(before);
        }

        boolean hasQueued() {
            return model.stream().anyMatch(known -> known.queued);
        }

        private List<Known> inFlight() {
            List<Known> flying = new ArrayList<>(model);
            flying.removeIf(known -> known.sentAs == NONE);
            flying.sort((a, b) -> Integer.compare(a.sentAs, b.sentAs));
            return flying;
        }

        private @Nullable Known pick(int n) {
            return model.isEmpty() ? null : model.get(n % model.size());
        }

        @Override
        public void acked(int slot) {
            assertThat(slab.state(slot)).isNotEqualTo(SlotSlab.FREE);
            told.add(slot);
        }

        @Override
        public void lost(int slot) {
            told.add(-slot);
        }
    }
}
