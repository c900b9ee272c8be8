package io.metaroce.bench.micro;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Traffic goes round over many connections, in both directions, and every message becomes complete. */
class CrowdTest {
    @Test
    void everyMessageOnEveryConnectionBecomesComplete() {
        Crowd crowd = new Crowd(20);
        crowd.connect();
        for (int i = 0; i < 10; i++) {
            crowd.post(16);
            crowd.settle(); // throws when a message fails or stays
            crowd.postBack(16);
            crowd.settle();
            crowd.rest(100_000_000);
        }
        assertThat(crowd.established()).isEqualTo(20);
    }
}
