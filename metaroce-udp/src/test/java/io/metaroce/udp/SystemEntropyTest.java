package io.metaroce.udp;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.num.Entropy;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SystemEntropyTest {
    @Test
    void nothingRepeatsNeitherHereNorInSplits() {
        Entropy root = new SystemEntropy();
        Entropy one = root.split("psn", 1);
        Entropy same = root.split("psn", 1);
        Set<Long> seen = new HashSet<>();
        long ones = 0;
        for (int i = 0; i < 1000; i++) {
            for (Entropy each : new Entropy[] {root, one, same}) {
                long drawn = each.nextLong();
                ones += Long.bitCount(drawn);
                assertThat(seen.add(drawn)).isTrue();
            }
        }
        assertThat(ones / 3000).isBetween(30L, 33L);
    }
}
