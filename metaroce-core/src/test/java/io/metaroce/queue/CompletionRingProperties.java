package io.metaroce.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Whatever is done to a completion queue, in whatever order: no overrun, nobody shut out, nothing lost, order kept. */
class CompletionRingProperties {
    private static final int QUEUES = 3;

    @Property(tries = 2000)
    void reservationsKeepTheirPromises(
            @ForAll @IntRange(min = QUEUES, max = 7) int depth,
            @ForAll @Size(max = 200) List<@IntRange(min = 0, max = 999) Integer> steps) {
        Story story = new Story(depth);
        for (int step : steps) {
            story.step(step / 10 % 10, step % QUEUES);
        }
        story.end();
    }

    private static final class Story {
        final int depth;
        final DoorbellQueue doorbells = new DoorbellQueue(1);
        final CompletionRing ring;
        final int[] attachment = new int[QUEUES];
        final int[] reserved = new int[QUEUES];
        final int[] out = new int[QUEUES]; // posted and not yet released, of this life
        final boolean[] served = new boolean[QUEUES]; // has had a reservation in this life
        final boolean[] met = new boolean[QUEUES]; // the endpoint has dealt with it in this life
        final boolean[] waits = new boolean[QUEUES];
        final int[] life = new int[QUEUES];
        final ArrayDeque<Long> posted = new ArrayDeque<>();
        final List<CompletionCell> taken = new ArrayList<>();
        int outInAll;
        int wrId;

        Story(int depth) {
            this.depth = depth;
            ring = new CompletionRing(depth, doorbells, () -> {});
            for (int i = 0; i < QUEUES; i++) {
                attachment[i] = ring.attach();
            }
        }

        void step(int action, int queue) {
            switch (action) {
                case 0, 1, 2 -> reserve(queue);
                case 3 -> unreserve(queue);
                case 4, 5 -> complete(queue);
                case 6 -> take();
                case 7 -> release(queue);
                case 8 -> awaitRoom(queue);
                default -> {
                    if (queue == 0) {
                        detachAndAttach(wrId % QUEUES);
                    } else {
                        drain();
                    }
                }
            }
            int held = outInAll;
            for (int i = 0; i < QUEUES; i++) {
                held += reserved[i];
            }
            assertThat(held).as("no overrun").isLessThanOrEqualTo(depth);
        }

        private boolean reserve(int queue) {
            boolean mustHave = served[queue] && reserved[queue] == 0 && out[queue] == 0;
            boolean has = ring.reserve(attachment[queue]);
            met[queue] = true;
            assertThat(has || !mustHave).as("each owns one cell for good").isTrue();
            served[queue] |= has;
            reserved[queue] += has ? 1 : 0;
            return has;
        }

        private void unreserve(int queue) {
            if (reserved[queue] > 0) {
                reserved[queue]--;
                ring.unreserve(attachment[queue]);
            }
        }

        private void complete(int queue) {
            if (reserved[queue] > 0) {
                reserved[queue]--;
                out[queue]++;
                outInAll++;
                long id = ((long) wrId++ << 32) | ((long) life[queue] << 8) | queue;
                posted.addLast(id);
                ring.completed(attachment[queue], queue, id, WcStatus.SUCCESS, WcOpcode.SEND, 0, 0, 0);
            }
        }

        private void take() {
            CompletionCell cell = ring.take();
            assertThat(cell == null ? null : cell.wrId()).isEqualTo(posted.pollFirst());
            if (cell != null) {
                taken.add(cell);
            }
        }

        private void release(int which) {
            if (!taken.isEmpty()) {
                CompletionCell cell = taken.remove(which % taken.size());
                int queue = (int) (cell.wrId() & 0xFF);
                outInAll--;
                if ((cell.wrId() >>> 8 & 0xFFFFFF) == life[queue]) {
                    out[queue]--;
                }
                ring.release(cell);
            }
        }

        private void awaitRoom(int queue) {
            waits[queue] = true;
            met[queue] = true;
            int mine = life[queue];
            ring.awaitRoom(attachment[queue], nowNs -> {
                assertThat(life[queue]).as("not called after it was detached").isEqualTo(mine);
                waits[queue] = false;
            });
        }

        private void detachAndAttach(int queue) {
            ring.detach(attachment[queue]);
            attachment[queue] = ring.attach();
            life[queue]++;
            reserved[queue] = 0;
            out[queue] = 0;
            served[queue] = false;
            met[queue] = false;
            waits[queue] = false;
        }

        private void drain() {
            doorbells.drain(0);
            for (int i = 0; i < QUEUES; i++) {
                if (waits[i] && !doorbells.isPending()) {
                    assertThat(reserve(i)).as("who still waits has no room").isFalse();
                }
            }
        }

        /** When all is released and given back, all is there again. */
        void end() {
            drain();
            for (int i = 0; i < QUEUES; i++) {
                while (reserved[i] > 0) {
                    complete(i);
                }
            }
            while (!posted.isEmpty()) {
                take();
            }
            take();
            while (!taken.isEmpty()) {
                release(0);
            }
            doorbells.drain(0);
            assertThat(waits).as("nobody waits any more").containsOnly(false);
            int all = 0;
            while (reserve(0)) {
                all++;
            }
            assertThat(all).isEqualTo(depth - (met[1] ? 1 : 0) - (met[2] ? 1 : 0));
        }
    }
}
