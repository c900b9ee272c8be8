package io.metaroce.tools.perf;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** One message of so many is signalled, and none is left that nothing tells of. */
class SignalsTest {
    private static final int QUEUE_PAIRS = 3;

    @Test
    void everyFifthAndAllOfTheLast() {
        Signals signals = new Signals(QUEUE_PAIRS, 5);
        List<Integer> signalled = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            int qp = i % QUEUE_PAIRS;
            boolean wants = signals.wants(qp, false, 100 - i);
            signals.posted(qp, wants);
            if (wants) {
                signalled.add(i);
            }
        }
        assertThat(signalled.stream().filter(i -> i < 85))
                .containsExactly(12, 13, 14, 27, 28, 29, 42, 43, 44, 57, 58, 59, 72, 73, 74);
        assertThat(signalled.stream().filter(i -> i >= 85)).hasSize(15);
        assertThat(List.of(signals.isOwed(0), signals.isOwed(1), signals.isOwed(2)))
                .containsOnly(false);
    }

    @Test
    void theOneThatFillsTheQueueTells() {
        Signals signals = new Signals(1, 100);
        assertThat(signals.wants(0, false, Long.MAX_VALUE)).isFalse();
        signals.posted(0, false);
        assertThat(signals.isOwed(0)).isTrue();
        assertThat(signals.wants(0, true, Long.MAX_VALUE)).isTrue();
        signals.posted(0, true);
        assertThat(signals.isOwed(0)).isFalse();
    }
}
