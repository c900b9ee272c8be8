package io.metaroce.tools.peers;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.tools.CacheLine.Placement;
import org.junit.jupiter.api.Test;

class SamplesTest {
    private static final Placement NEAR = new Placement(60);
    private static final Placement FAR = new Placement(300);

    @Test
    void samplesTakenNearStandAlone() {
        Samples samples = new Samples();
        samples.add(9, NEAR, NEAR);
        samples.add(1, FAR, NEAR);
        samples.add(2, NEAR, FAR);
        samples.add(7, NEAR, NEAR);
        samples.add(8, NEAR, NEAR);
        assertThat(samples.median()).isEqualTo(8);
        assertThat(samples.least()).isEqualTo(7);
        assertThat(samples.most()).isEqualTo(9);
        assertThat(samples.nearCount()).isEqualTo(3);
        assertThat(samples.otherCount()).isEqualTo(2);
    }

    @Test
    void withoutANearOneTheOthersAreShown() {
        Samples samples = new Samples();
        assertThat(samples.median()).isNaN();
        samples.add(3, FAR, FAR);
        assertThat(samples.isNear()).isFalse();
        assertThat(samples.median()).isEqualTo(3);
    }
}
