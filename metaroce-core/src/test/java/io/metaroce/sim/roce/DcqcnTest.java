package io.metaroce.sim.roce;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.sim.SimTime;
import org.junit.jupiter.api.Test;

/** Rates under DCQCN, step by step. */
class DcqcnTest {
    private static final long LINE = 40_000_000_000L;

    @Test
    void theFirstNotificationHalvesTheRateAndFiveStepsLeadBackNearly() {
        Dcqcn rate = new Dcqcn(DcqcnConfig.paper(LINE));
        rate.onCnp(0);
        assertThat(rate.bitsPerSecond(0)).isEqualTo(LINE / 2);
        for (int step = 1; step <= 5; step++) {
            assertThat(rate.bitsPerSecond(step * 55L * SimTime.US)).isEqualTo(LINE - ((LINE / 2) >> step));
        }
    }

    @Test
    void bytesLeadBackTooIfTheyAreCounted() {
        Dcqcn rate = new Dcqcn(DcqcnConfig.paper(LINE));
        rate.onCnp(0);
        for (int packet = 0; packet < 2_500; packet++) {
            rate.onSent(1, 4_000);
        }
        assertThat(rate.bitsPerSecond(1)).isEqualTo(LINE - LINE / 4);
        Dcqcn vendor = new Dcqcn(DcqcnConfig.vendor(LINE));
        vendor.onCnp(0);
        for (int packet = 0; packet < 2_500; packet++) {
            vendor.onSent(1, 4_000);
        }
        assertThat(vendor.bitsPerSecond(1)).isEqualTo(LINE / 2);
    }

    @Test
    void aCutBeginsTheCountAnew() {
        Dcqcn rate = new Dcqcn(DcqcnConfig.paper(LINE));
        rate.onCnp(0);
        for (int packet = 0; packet < 2_400; packet++) {
            rate.onSent(1, 4_000);
        }
        rate.onCnp(2);
        long after = rate.bitsPerSecond(51 * SimTime.US); // cut when the period of decreases ends
        assertThat(after).isLessThan(LINE / 2);
        for (int packet = 0; packet < 200; packet++) {
            rate.onSent(51 * SimTime.US, 4_000);
        }
        assertThat(rate.bitsPerSecond(51 * SimTime.US)).isEqualTo(after);
    }
}
