package io.metaroce.queue;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaroce.queue.Interleavings.Actor;
import io.metaroce.queue.Interleavings.Scenario;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Doorbells, step by step: each read or write of a shared word is a step of its own. */
class DoorbellInterleavingTest {
    private static final long ORDERS_MAX = 2_000_000;

    @Test
    void noOrderOfTwoPostersOnOneRingLosesAPost() {
        long orders = Interleavings.exploreAll(() -> new Ringing(Order.CLEAR_FIRST, 1, 1, 1), ORDERS_MAX);
        assertThat(orders).isGreaterThan(2_000);
    }

    @Test
    void noOrderOfTwoPostersOnTwoRingsLosesAPost() {
        long orders = Interleavings.exploreAll(() -> new Ringing(Order.CLEAR_FIRST, 2, 1, 1), ORDERS_MAX);
        assertThat(orders).isGreaterThan(5_000);
    }

    @Test
    void noneOfManyOrdersOfLongerStoriesLosesAPost() {
        Interleavings.sample(() -> new Ringing(Order.CLEAR_FIRST, 1, 3, 2), 20_260_101, 20_000);
        Interleavings.sample(() -> new Ringing(Order.CLEAR_FIRST, 2, 3, 2), 20_260_102, 20_000);
    }

    @Test
    void lookingForPostsBeforeTheBellIsClearedLosesSome() {
        assertThatThrownBy(() -> Interleavings.exploreAll(() -> new Ringing(Order.LOOK_FIRST, 1, 1, 1), ORDERS_MAX))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("after the order");
    }

    @Test
    void noOrderLosesACommandThatIsLookedForAfterTheFlagWasCleared() {
        long orders = Interleavings.exploreAll(() -> new Commanding(Order.CLEAR_FIRST), ORDERS_MAX);
        assertThat(orders).isGreaterThan(10);
    }

    @Test
    void lookingForCommandsBeforeTheFlagIsClearedLosesSome() {
        assertLoses(Order.LOOK_FIRST);
    }

    @Test
    void clearingTheFlagOnceMoreAfterLookingForCommandsLosesSome() {
        assertLoses(Order.CLEAR_LOOK_CLEAR);
    }

    private static void assertLoses(Order order) {
        assertThatThrownBy(() -> Interleavings.exploreAll(() -> new Commanding(order), ORDERS_MAX))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("after the order");
    }

    private enum Order {
        CLEAR_FIRST,
        LOOK_FIRST,
        CLEAR_LOOK_CLEAR
    }

    /** Two posters, one ring or a ring each; one endpoint thread that sleeps until woken. */
    private static final class Ringing implements Scenario {
        final DoorbellQueue doorbells = new DoorbellQueue(4);
        final CompletionRing completions = new CompletionRing(4, doorbells, () -> {});
        final List<PlainRing> rings = new ArrayList<>();
        final List<Actor> actors = new ArrayList<>();
        final List<Long> taken = new ArrayList<>();
        final int postsOfFirst;
        final int postsOfSecond;
        int wakes;

        Ringing(Order order, int ringCount, int postsOfFirst, int postsOfSecond) {
            this.postsOfFirst = postsOfFirst;
            this.postsOfSecond = postsOfSecond;
            doorbells.onWake(() -> wakes++);
            for (int i = 0; i < ringCount; i++) {
                rings.add(new PlainRing(doorbells, completions));
            }
            actors.add(new Poster(rings.get(0), 0, postsOfFirst));
            actors.add(new Poster(rings.get(ringCount - 1), 100, postsOfSecond));
            actors.add(new Taker(order));
        }

        @Override
        public List<Actor> actors() {
            return actors;
        }

        @Override
        public void check() {
            assertThat(taken).filteredOn(wrId -> wrId < 100).isEqualTo(numbers(0, postsOfFirst));
            assertThat(taken).filteredOn(wrId -> wrId >= 100).isEqualTo(numbers(100, postsOfSecond));
            assertThat(doorbells.isPending()).isFalse();
        }

        private static List<Long> numbers(long first, int count) {
            return LongStream.range(first, first + count).boxed().toList();
        }

        /** A send ring whose bell can be rung in steps: the same cells, a bell of our own. */
        private static final class PlainRing {
            final SendRing cells;
            final Bell bell;

            PlainRing(DoorbellQueue doorbells, CompletionSink sink) {
                cells = new SendRing(
                        8, 1, 0, 1, sink, sink.attach(), Signalling.ALL, new DoorbellQueue(1), Posters.MANY);
                bell = new Bell(doorbells);
            }
        }

        private final class Poster implements Actor {
            final PlainRing ring;
            final long firstWrId;
            final int posts;
            int posted;
            int at;

            Poster(PlainRing ring, long firstWrId, int posts) {
                this.ring = ring;
                this.firstWrId = firstWrId;
                this.posts = posts;
            }

            @Override
            public boolean canStep() {
                return posted < posts || at != 0;
            }

            @Override
            public void step() {
                switch (at) {
                    case 0 -> {
                        SendCell cell = requireNonNull(ring.cells.acquire());
                        ring.cells.post(cell.wrId(firstWrId + posted));
                        posted++;
                        at = 1;
                    }
                    case 1 -> at = ring.bell.mark() ? 2 : 0;
                    case 2 -> {
                        doorbells.insert(ring.bell);
                        at = 3;
                    }
                    default -> {
                        doorbells.wake();
                        at = 0;
                    }
                }
            }
        }

        private final class Taker implements Actor {
            final Order order;
            int seen;
            int at;

            @Nullable
            Bell bell;

            Taker(Order order) {
                this.order = order;
            }

            @Override
            public boolean canStep() {
                return at != 0 || seen < wakes;
            }

            @Override
            public void step() {
                switch (at) {
                    case 0 -> {
                        seen = wakes;
                        doorbells.clear();
                        at = 1;
                    }
                    case 1 -> {
                        bell = doorbells.next();
                        at = bell == null ? 0 : 2;
                    }
                    case 2 -> {
                        if (order == Order.CLEAR_FIRST) {
                            requireNonNull(bell).unmark();
                        }
                        at = 3;
                    }
                    case 3 -> at = take() ? 3 : 4;
                    default -> {
                        if (order == Order.LOOK_FIRST) {
                            requireNonNull(bell).unmark();
                        }
                        at = 1;
                    }
                }
            }

            private boolean take() {
                for (PlainRing ring : rings) {
                    if (ring.bell == bell) {
                        SendCell cell = ring.cells.take();
                        if (cell != null) {
                            taken.add(cell.wrId());
                            ring.cells.release(cell);
                            return true;
                        }
                    }
                }
                return false;
            }
        }
    }

    /** Three commands of two threads. */
    private static final class Commanding implements Scenario {
        final DoorbellQueue doorbells = new DoorbellQueue(1);
        final CommandQueue<List<Integer>> commands = new CommandQueue<>();
        final List<Integer> ran = new ArrayList<>();
        final List<Actor> actors = new ArrayList<>();
        int wakes;

        Commanding(Order order) {
            doorbells.onWake(() -> wakes++);
            actors.add(new Caller(1, 2));
            actors.add(new Caller(3));
            actors.add(new Runner(order));
        }

        @Override
        public List<Actor> actors() {
            return actors;
        }

        @Override
        public void check() {
            assertThat(ran).containsExactlyInAnyOrder(1, 2, 3);
            assertThat(ran.indexOf(1)).isLessThan(ran.indexOf(2));
        }

        private final class Caller implements Actor {
            final int[] numbers;
            int at;

            Caller(int... numbers) {
                this.numbers = numbers;
            }

            @Override
            public boolean canStep() {
                return at < 2 * numbers.length;
            }

            @Override
            public void step() {
                if ((at & 1) == 0) {
                    int number = numbers[at / 2];
                    commands.offer((nowNs, target) -> target.add(number));
                } else {
                    doorbells.wake();
                }
                at++;
            }
        }

        private final class Runner implements Actor {
            final Order order;
            int seen;
            int at;

            Runner(Order order) {
                this.order = order;
            }

            @Override
            public boolean canStep() {
                return at != 0 || seen < wakes;
            }

            @Override
            public void step() {
                seen = at == 0 ? wakes : seen;
                switch (order) {
                    case CLEAR_FIRST -> steps(doorbells::clear, this::look);
                    case LOOK_FIRST -> steps(this::look, doorbells::clear);
                    case CLEAR_LOOK_CLEAR -> steps(doorbells::clear, this::look, doorbells::clear);
                }
            }

            /** An endpoint that looks only if the flag is set. */
            private void steps(Runnable... steps) {
                if (at == 0 && !doorbells.isPending()) {
                    return;
                }
                steps[at].run();
                at = (at + 1) % steps.length;
            }

            private void look() {
                commands.drain(0, ran);
            }
        }
    }
}
