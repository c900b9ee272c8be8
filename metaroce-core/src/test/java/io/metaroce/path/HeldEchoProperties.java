package io.metaroce.path;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.num.SplitMix64;
import io.metaroce.param.Reception;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Packets of one path through several queues, read in any order while more arrive: what is told is always true. */
class HeldEchoProperties {
    private static final int TURNS = 60;

    @Property(tries = 300)
    @Covers("R-ACK-013")
    void nothingOlderThanWhatIsToldLiesUnread(@ForAll long seed, @ForAll @IntRange(min = 2, max = 5) int queues) {
        Queues read = new Queues(seed, queues);
        for (int turn = 0; turn < TURNS; turn++) {
            read.turn();
            read.check();
        }
        read.arrivals = 0;
        for (int turn = 0; turn < 4 * queues; turn++) {
            read.turn();
        }
        assertThat(read.held.settle()).isTrue();
        assertThat(read.held.stamp).as("all is told in the end").isEqualTo(read.stamp);
    }

    /** Queues that one reader visits in turns; a turn may stop reading a queue before it is empty. */
    private static final class Queues {
        private final ReceivePasses passes = new ReceivePasses(Reception.USUAL.through(Reception.Queues.SEVERAL));
        private final HeldEcho held = new HeldEcho(passes);
        private final SplitMix64 random;
        private final List<ArrayDeque<Integer>> queues = new ArrayList<>();
        private final boolean[] wasEmpty;
        private int arrivals = 6;
        private int stamp;
        private int highest;

        Queues(long seed, int count) {
            random = new SplitMix64(seed);
            wasEmpty = new boolean[count];
            for (int i = 0; i < count; i++) {
                queues.add(new ArrayDeque<>());
            }
            arrive();
        }

        void turn() {
            int first = random.nextInt(queues.size());
            for (int i = 0; i < queues.size(); i++) {
                read((first + i) % queues.size());
            }
            boolean all = true;
            for (boolean one : wasEmpty) {
                all &= one;
            }
            if (all) {
                Arrays.fill(wasEmpty, false);
                passes.end();
            }
        }

        private void read(int index) {
            ArrayDeque<Integer> queue = queues.get(index);
            int limit = arrivals == 0 ? Integer.MAX_VALUE : 1 + random.nextInt(8);
            for (int n = 0; n < limit; n++) {
                Integer next = queue.pollFirst();
                if (next == null) {
                    wasEmpty[index] = true;
                    return;
                }
                if (next > highest) {
                    highest = next;
                    held.onStamp(0, next, 0);
                }
                arrive();
                check();
            }
        }

        private void arrive() {
            int more = arrivals == 0 ? 0 : random.nextInt(arrivals) - 2;
            for (int i = 0; i < more || stamp == 0; i++) {
                stamp++;
                queues.get(random.nextInt(queues.size())).addLast(stamp);
            }
        }

        void check() {
            if (!held.settle()) {
                return;
            }
            for (ArrayDeque<Integer> queue : queues) {
                assertThat(queue).allMatch(unread -> unread > held.stamp);
            }
        }
    }
}
