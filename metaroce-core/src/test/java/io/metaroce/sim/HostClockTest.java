package io.metaroce.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class HostClockTest {
    @Test
    void aTrueClockShowsTheTimeOfTheWorld() {
        assertThat(HostClock.TRUE.readNs(7 * SimTime.US + 999)).isEqualTo(7_000);
        assertThat(HostClock.TRUE.whenPs(7_000)).isEqualTo(7 * SimTime.US);
        assertThat(HostClock.TRUE.whenPs(SimTime.NEVER)).isEqualTo(SimTime.NEVER);
    }

    @Test
    void aFastClockRunsAhead() {
        HostClock clock = new HostClock(1_000_000, 100_000);
        assertThat(clock.readNs(0)).isEqualTo(1_000_000);
        assertThat(clock.readNs(SimTime.MS)).isEqualTo(1_000_000 + 1_100_000);
        assertThat(clock.whenPs(5)).isZero();
    }

    /** Otherwise a host would be woken before its deadline, find nothing due, and time would stand still. */
    @Test
    void aDeadlineIsReachedWhenTheClockWakes() {
        for (int ppm : new int[] {-500_000, -137, -1, 1, 50, 333_333, 500_000}) {
            HostClock clock = new HostClock(12_345, ppm);
            for (long ns = 12_346; ns < 3_000_000_000L; ns = ns * 3 + 1) {
                long ps = clock.whenPs(ns);
                assertThat(clock.readNs(ps)).isGreaterThanOrEqualTo(ns);
                assertThat(clock.readNs(ps - 1)).isLessThan(ns);
            }
        }
    }

    @Test
    void whatNoClockDoesIsRefused() {
        assertThatThrownBy(() -> new HostClock(-1, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new HostClock(0, 500_001)).isInstanceOf(IllegalArgumentException.class);
    }
}
