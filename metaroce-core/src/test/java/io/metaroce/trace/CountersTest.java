package io.metaroce.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class CountersTest {
    private final Counters counters = new Counters();

    @Test
    void everyCounterCountsForItself() {
        long n = 1;
        for (Counter counter : Counter.values()) {
            counters.add(counter, n++);
        }
        counters.increment(Counter.ACKS_SENT);
        n = 1;
        for (Counter counter : Counter.values()) {
            long expected = n++ + (counter == Counter.ACKS_SENT ? 1 : 0);
            assertThat(counters.get(counter)).as(counter.label()).isEqualTo(expected);
        }
    }

    @Test
    @Covers("R-OBS-003")
    void aDropRaisesExactlyOneDropCounter() {
        for (DropReason reason : DropReason.values()) {
            long before = counters.dropsTotal();
            counters.dropped(reason);
            assertThat(counters.get(reason)).as(reason.label()).isEqualTo(1);
            assertThat(counters.dropsTotal()).isEqualTo(before + 1);
        }
    }

    @Test
    void labelsAreUniqueLowerCaseWords() {
        TreeSet<String> labels = new TreeSet<>();
        for (Counter counter : Counter.values()) {
            assertThat(counter.label()).matches("[a-z][a-z0-9_]*");
            assertThat(counter.meaning()).isNotBlank();
            assertThat(labels.add(counter.label())).as(counter.label()).isTrue();
        }
    }

    @Test
    void everyDropReasonNamesTheRequirementThatAsksForIt() {
        TreeSet<String> labels = new TreeSet<>();
        for (DropReason reason : DropReason.values()) {
            assertThat(reason.tag()).matches("R-[A-Z]+-\\d{3}");
            assertThat(labels.add(reason.label())).as(reason.label()).isTrue();
        }
    }

    @Test
    void anotherThreadSeesWhatWasCounted() throws InterruptedException {
        counters.add(Counter.TX_BYTES, 1L << 40);
        long[] seen = new long[1];
        Thread reader = new Thread(() -> seen[0] = counters.get(Counter.TX_BYTES));
        reader.start();
        reader.join();
        assertThat(seen[0]).isEqualTo(1L << 40);
    }

    @Test
    void nobodyHasToListen() {
        TransportEvents.NONE.timedOut(0, 1, 2);
        TransportEvents.NONE.refused(0, 1, 2, 3);
        TransportEvents.NONE.slotLost(0, 1, 2, 3);
        TransportEvents.NONE.pathState(0, 1, 2, 3);
        TransportEvents.NONE.dropped(0, DropReason.SHORT);
        TransportEvents.NONE.closed(0, 1, 2);
    }
}
