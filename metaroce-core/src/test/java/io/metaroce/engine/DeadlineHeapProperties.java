package io.metaroce.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.num.Deadline;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class DeadlineHeapProperties {
    private static final int PEERS = 40;
    private static final List<Peering> POOL =
            Peers.of(IntStream.range(0, PEERS).map(i -> (i - 20) * 1001).boxed().toList());

    /** A connection and its instant. */
    private record Entry(Peering peer, long atNs) {}

    private static final Comparator<Entry> ORDER = Comparator.comparingLong(Entry::atNs)
            .thenComparingInt(entry -> entry.peer().connection().localId());

    /** Sets a peer's instant; 7 takes it out, 8 sets it to never, 9 takes the first one out. */
    private record Step(int peer, int what, int atNs) {}

    @Provide
    Arbitrary<List<Step>> steps() {
        return Combinators.combine(
                        Arbitraries.integers().between(0, PEERS - 1),
                        Arbitraries.integers().between(0, 9),
                        Arbitraries.integers().between(0, 30))
                .as(Step::new)
                .list()
                .ofMaxSize(200);
    }

    @Property(tries = 200)
    void agreesWithASortedList(@ForAll("steps") List<Step> steps) {
        DeadlineHeap heap = new DeadlineHeap();
        List<Entry> model = new ArrayList<>();
        POOL.forEach(Peers::reset);
        for (Step step : steps) {
            Peering peer = POOL.get(step.peer());
            switch (step.what()) {
                case 7 -> {
                    heap.remove(peer);
                    model.removeIf(entry -> entry.peer() == peer);
                }
                case 8 -> {
                    heap.set(peer, Deadline.NEVER);
                    model.removeIf(entry -> entry.peer() == peer);
                }
                case 9 -> {
                    if (!model.isEmpty()) {
                        heap.remove(heap.first());
                        model.remove(0);
                    }
                }
                default -> {
                    heap.set(peer, step.atNs());
                    model.removeIf(entry -> entry.peer() == peer);
                    model.add(new Entry(peer, step.atNs()));
                }
            }
            model.sort(ORDER);
            assertThat(heap.earliestNs())
                    .isEqualTo(model.isEmpty() ? Deadline.NEVER : model.get(0).atNs());
            if (!model.isEmpty()) {
                assertThat(heap.first()).isSameAs(model.get(0).peer());
            }
        }
        for (Entry next : model) {
            assertThat(heap.first()).isSameAs(next.peer());
            heap.remove(next.peer());
        }
        assertThat(heap.earliestNs()).isEqualTo(Deadline.NEVER);
        POOL.forEach(peer -> assertThat(peer.ticket).isEqualTo(DeadlineHeap.ABSENT));
    }
}
