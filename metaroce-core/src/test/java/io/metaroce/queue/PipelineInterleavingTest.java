package io.metaroce.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.queue.Interleavings.Actor;
import io.metaroce.queue.Interleavings.Scenario;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The whole round: two posters, one endpoint, one poller; a step is one call. */
class PipelineInterleavingTest {
    private static final long ORDERS_MAX = 2_000_000;

    @Test
    void everyOrderOnTheSmallestRingsWithFewPreemptionsEndsWell() {
        long orders = Interleavings.exploreAll(() -> new Pipeline(1, 1, 1, Posts.ONE_RING), ORDERS_MAX, 3);
        assertThat(orders).isGreaterThan(10_000);
    }

    @Test
    void everyOrderOnTwoRingsWithFewPreemptionsEndsWell() {
        long orders = Interleavings.exploreAll(() -> new Pipeline(1, 1, 2, Posts.OWN_RING), ORDERS_MAX, 2);
        assertThat(orders).isGreaterThan(2_000);
    }

    @Test
    void manyOrdersOfThreePostsEachOnOneSmallRingEndWell() {
        Interleavings.sample(() -> new Pipeline(3, 2, 1, Posts.ONE_RING), 101, 15_000);
    }

    @Test
    void manyOrdersOfThreePostsEachOnTwoRingsAndOneSmallCompletionQueueEndWell() {
        Interleavings.sample(() -> new Pipeline(3, 2, 2, Posts.OWN_RING), 103, 15_000);
    }

    @Test
    void manyOrdersOnRingsThatNeverFillEndWell() {
        Interleavings.sample(() -> new Pipeline(4, 8, 16, Posts.OWN_RING), 107, 10_000);
    }

    private enum Posts {
        ONE_RING,
        OWN_RING
    }

    private static final class Pipeline implements Scenario {
        final DoorbellQueue doorbells = new DoorbellQueue(3);
        final CompletionRing completions;
        final List<SendRing> rings = new ArrayList<>();
        final List<Actor> actors = new ArrayList<>();
        final List<Long> polled = new ArrayList<>();
        final int posts;
        int wakes;
        int signals;
        int releases;

        Pipeline(int posts, int sendDepth, int completionDepth, Posts where) {
            this.posts = posts;
            completions = new CompletionRing(completionDepth, doorbells, () -> signals++);
            doorbells.onWake(() -> wakes++);
            for (int i = 0; i < (where == Posts.ONE_RING ? 1 : 2); i++) {
                rings.add(
                        new SendRing(sendDepth, 0, 0, i, completions, completions.attach(), Signalling.ALL, doorbells));
            }
            actors.add(new Poster(rings.get(0), 0));
            actors.add(new Poster(rings.get(rings.size() - 1), 1000));
            actors.add(new Engine());
            actors.add(new Poller());
        }

        @Override
        public List<Actor> actors() {
            return actors;
        }

        @Override
        public void check() {
            // Nothing lost, nothing twice, each poster's requests in its order.
            assertThat(polled).hasSize(2 * posts).doesNotHaveDuplicates();
            assertThat(polled).filteredOn(wrId -> wrId < 1000).isSorted();
            assertThat(polled).filteredOn(wrId -> wrId >= 1000).isSorted();
            for (SendRing ring : rings) {
                for (int i = 0; i < ring.depth(); i++) {
                    assertThat(ring.acquire()).as("every cell is back").isNotNull();
                }
                assertThat(ring.acquire()).isNull();
            }
        }

        /** Acquires, posts, rings; when the ring is full, sleeps until the endpoint released something. */
        private final class Poster implements Actor {
            final SendRing ring;
            final long firstWrId;

            @Nullable
            SendCell cell;

            boolean rings;
            int posted;
            int fullAt = -1;

            Poster(SendRing ring, long firstWrId) {
                this.ring = ring;
                this.firstWrId = firstWrId;
            }

            @Override
            public boolean canStep() {
                return rings || cell != null || (posted < posts && fullAt != releases);
            }

            @Override
            public void step() {
                if (rings) {
                    ring.ring();
                    rings = false;
                } else if (cell != null) {
                    ring.post(cell.wrId(firstWrId + posted));
                    posted++;
                    cell = null;
                    rings = true;
                } else {
                    int before = releases;
                    cell = ring.acquire();
                    fullAt = cell == null ? before : -1;
                }
            }
        }

        /** Reserve, take, complete, release: each a step; sleeps when there is nothing, or no room. */
        private final class Engine implements Actor {
            final boolean[] ready;

            @Nullable
            SendCell cell;

            int ring;
            boolean reserved;
            int seen;

            Engine() {
                ready = new boolean[rings.size()];
                for (int i = 0; i < ready.length; i++) {
                    int own = i;
                    rings.get(i).owner(nowNs -> ready[own] = true);
                }
            }

            @Override
            public boolean canStep() {
                return reserved || anyReady() || seen < wakes;
            }

            @Override
            public void step() {
                if (cell != null) {
                    complete(cell);
                } else if (reserved) {
                    take();
                } else if (anyReady()) {
                    reserve();
                } else {
                    seen = wakes;
                    doorbells.drain(0);
                }
            }

            private boolean anyReady() {
                for (boolean one : ready) {
                    if (one) {
                        return true;
                    }
                }
                return false;
            }

            private void reserve() {
                ring = ready[0] ? 0 : 1;
                SendRing from = rings.get(ring);
                reserved = completions.reserve(from.attachment());
                if (!reserved) {
                    ready[ring] = false;
                    int own = ring;
                    completions.awaitRoom(from.attachment(), nowNs -> ready[own] = true);
                }
            }

            private void take() {
                cell = rings.get(ring).take();
                if (cell == null) {
                    completions.unreserve(rings.get(ring).attachment());
                    reserved = false;
                    ready[ring] = false;
                }
            }

            private void complete(SendCell done) {
                SendRing from = rings.get(ring);
                completions.completed(
                        from.attachment(), from.qpNumber(), done.wrId(), WcStatus.SUCCESS, WcOpcode.SEND, 0, 0, 0);
                from.release(done);
                releases++;
                cell = null;
                reserved = false;
            }
        }

        /** Arms, takes until there is none, sleeps while no signal came. */
        private final class Poller implements Actor {
            @Nullable
            CompletionCell cell;

            boolean armed;
            boolean looked;
            int seen;

            @Override
            public boolean canStep() {
                return cell != null || !armed || !looked || seen != signals;
            }

            @Override
            public void step() {
                if (cell != null) {
                    completions.release(cell);
                    cell = null;
                } else if (armed && looked) {
                    armed = false;
                    looked = false;
                } else if (!armed) {
                    seen = signals;
                    completions.arm(ArmMode.ANY);
                    armed = true;
                } else {
                    cell = completions.take();
                    if (cell == null) {
                        looked = true;
                    } else {
                        polled.add(cell.wrId());
                    }
                }
            }
        }
    }
}
