package io.metaroce.queue;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaroce.queue.Interleavings.Actor;
import io.metaroce.queue.Interleavings.Scenario;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A completion queue between an endpoint's thread, pollers that wait for events, and back-pressure. */
class CompletionInterleavingTest {
    private static final long ORDERS_MAX = 2_000_000;

    @Test
    void aWaiterThatArmsAndLooksOnceMoreMissesNothing() {
        long orders = Interleavings.exploreAll(() -> new Waiting(1, 5, Habit.ARM_THEN_LOOK), ORDERS_MAX);
        assertThat(orders).isGreaterThan(500);
    }

    @Test
    void twoWaitersOnOneQueueMissNothing() {
        long orders = Interleavings.exploreAll(() -> new Waiting(2, 1, Habit.ARM_THEN_LOOK), ORDERS_MAX);
        assertThat(orders).isGreaterThan(1_000);
        Interleavings.sample(() -> new Waiting(2, 4, Habit.ARM_THEN_LOOK), 7, 30_000);
    }

    @Test
    void aWaiterThatLooksAndThenArmsMissesSome() {
        assertThatThrownBy(() -> Interleavings.exploreAll(() -> new Waiting(1, 3, Habit.LOOK_THEN_ARM), ORDERS_MAX))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("after the order");
    }

    @Test
    void aStarvedEndpointIsWokenByWhoeverReleases() {
        long orders = Interleavings.exploreAll(() -> new Starving(1, 3, 1, 2, Wanting.WANT_THEN_LOOK), ORDERS_MAX);
        assertThat(orders).isGreaterThan(500);
    }

    @Test
    void twoWorkQueuesOnTwoCellsBothFinishWhateverTheOrder() {
        Interleavings.sample(() -> new Starving(2, 3, 2, 2, Wanting.WANT_THEN_LOOK), 11, 30_000);
    }

    @Test
    void threeWorkQueuesOnFourCellsAllFinishWhateverTheOrder() {
        Interleavings.sample(() -> new Starving(3, 3, 4, 2, Wanting.WANT_THEN_LOOK), 13, 20_000);
    }

    @Test
    void lookingBeforeSayingThatCellsAreWantedStarvesSomeForEver() {
        assertThatThrownBy(() ->
                        Interleavings.exploreAll(() -> new Starving(1, 3, 1, 2, Wanting.LOOK_THEN_WANT), ORDERS_MAX))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("after the order");
    }

    private enum Wanting {
        WANT_THEN_LOOK,
        LOOK_THEN_WANT
    }

    private enum Habit {
        ARM_THEN_LOOK,
        LOOK_THEN_ARM
    }

    /** An endpoint that completes, and waiters that sleep until signalled. */
    private static final class Waiting implements Scenario {
        final DoorbellQueue doorbells = new DoorbellQueue(1);
        final CompletionRing ring;
        final List<Actor> actors = new ArrayList<>();
        final List<Long> polled = new ArrayList<>();
        final int count;
        int signals;

        Waiting(int waiters, int count, Habit habit) {
            this.count = count;
            ring = new CompletionRing(count, doorbells, () -> signals++);
            int attachment = ring.attach();
            for (int i = 0; i < count; i++) {
                assertThat(ring.reserve(attachment)).isTrue();
            }
            actors.add(new Completing(attachment));
            for (int i = 0; i < waiters; i++) {
                actors.add(new Waiter(habit));
            }
        }

        @Override
        public List<Actor> actors() {
            return actors;
        }

        @Override
        public void check() {
            assertThat(polled).hasSize(count).doesNotHaveDuplicates();
        }

        private final class Completing implements Actor {
            final int attachment;
            int done;

            Completing(int attachment) {
                this.attachment = attachment;
            }

            @Override
            public boolean canStep() {
                return done < count;
            }

            @Override
            public void step() {
                ring.completed(attachment, 1, done, WcStatus.SUCCESS, WcOpcode.SEND, 0, 0, 0);
                done++;
            }
        }

        /** Notes the signal count, arms, takes until there is none, and sleeps while the count stands. */
        private final class Waiter implements Actor {
            final Habit habit;
            boolean armed;
            boolean looked;
            int seen;

            Waiter(Habit habit) {
                this.habit = habit;
            }

            @Override
            public boolean canStep() {
                return !armed || !looked || seen != signals;
            }

            @Override
            public void step() {
                if (armed && looked) {
                    armed = false; // woken
                    looked = false;
                } else if (habit == Habit.ARM_THEN_LOOK ? !armed : looked) {
                    seen = signals;
                    ring.arm(ArmMode.ANY);
                    armed = true;
                } else {
                    CompletionCell cell = ring.take();
                    if (cell == null) {
                        looked = true;
                    } else {
                        polled.add(cell.wrId());
                        ring.release(cell);
                    }
                }
            }
        }
    }

    /** An endpoint with more work than completion cells; pollers give cells back in two steps. */
    private static final class Starving implements Scenario {
        final DoorbellQueue doorbells = new DoorbellQueue(1);
        final CompletionRing ring;
        final List<Actor> actors = new ArrayList<>();
        final List<Long> polled = new ArrayList<>();
        final int queues;
        final int workOfEach;
        final Wanting wanting;
        int wakes;
        int completed;

        Starving(int queues, int workOfEach, int depth, int pollers, Wanting wanting) {
            this.wanting = wanting;
            this.queues = queues;
            this.workOfEach = workOfEach;
            ring = new CompletionRing(depth, doorbells, () -> {});
            doorbells.onWake(() -> wakes++);
            actors.add(new Fetching());
            for (int i = 0; i < pollers; i++) {
                actors.add(new Poller());
            }
        }

        @Override
        public List<Actor> actors() {
            return actors;
        }

        @Override
        public void check() {
            assertThat(polled).hasSize(queues * workOfEach).doesNotHaveDuplicates();
        }

        private final class Fetching implements Actor {
            final int[] attachment = new int[queues];
            final int[] left = new int[queues];
            final boolean[] ready = new boolean[queues];
            final boolean[] holds = new boolean[queues];
            int starving; // steps of the end of awaitRoom still to do
            int seen;

            Fetching() {
                for (int i = 0; i < queues; i++) {
                    attachment[i] = ring.attach();
                    left[i] = workOfEach;
                    ready[i] = true;
                }
            }

            @Override
            public boolean canStep() {
                return starving > 0 || next() >= 0 || seen < wakes;
            }

            @Override
            public void step() {
                int queue = next();
                if (starving > 0) {
                    if ((starving == 2) == (wanting == Wanting.WANT_THEN_LOOK)) {
                        ring.want();
                    } else {
                        ring.look();
                    }
                    starving--;
                } else if (queue < 0) {
                    seen = wakes;
                    doorbells.drain(0);
                } else if (holds[queue]) {
                    holds[queue] = false;
                    left[queue]--;
                    long wrId = 100L * queue + left[queue];
                    ring.completed(attachment[queue], queue, wrId, WcStatus.SUCCESS, WcOpcode.SEND, 0, 0, 0);
                    completed++;
                } else if (ring.reserve(attachment[queue])) {
                    holds[queue] = true;
                } else {
                    ready[queue] = false;
                    ring.lineUp(attachment[queue], nowNs -> ready[queue] = true);
                    starving = 2;
                }
            }

            private int next() {
                for (int i = 0; i < queues; i++) {
                    if (ready[i] && left[i] > 0) {
                        return i;
                    }
                }
                return -1;
            }
        }

        /** Looks only when there is something, so that runs end. */
        private final class Poller implements Actor {
            @Nullable
            CompletionCell cell;

            boolean gaveBack;

            @Override
            public boolean canStep() {
                return gaveBack || cell != null || polled.size() < completed;
            }

            @Override
            public void step() {
                if (gaveBack) {
                    ring.ringIfWanted();
                    gaveBack = false;
                } else if (cell != null) {
                    ring.giveBack(cell);
                    cell = null;
                    gaveBack = true;
                } else {
                    cell = requireNonNull(ring.take());
                    polled.add(cell.wrId());
                }
            }
        }
    }
}
