package io.metaroce.bench.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.bench.micro.Crowd;
import org.junit.jupiter.api.Test;

/** What a connection of 16 paths adds to the state of an endpoint, on both sides of it. */
class FootprintTest {
    private static final int CONNECTIONS = 64;
    private static final int MESSAGES_EACH = 16;
    private static final int PATHS = 16;
    // What it takes today, and a little room; with all paths in use in both directions it is some 1,000 bytes more.
    private static final int CONNECTION_BYTES_MAX = 13_100;

    @Test
    void aConnectionOfSixteenPathsTakesNoMoreThanItDid() {
        Crowd crowd = new Crowd(CONNECTIONS);
        Footprint leftEmpty = Footprint.of(crowd.left());
        Footprint rightEmpty = Footprint.of(crowd.right());
        crowd.connect();
        for (int i = 0; i < MESSAGES_EACH; i++) {
            crowd.post(CONNECTIONS);
            crowd.settle();
            crowd.postBack(CONNECTIONS);
            crowd.settle();
        }
        Footprint left = Footprint.of(crowd.left());
        Footprint right = Footprint.of(crowd.right());
        assertThat(left.count("Path")).isEqualTo(CONNECTIONS * PATHS);
        check(leftEmpty, left);
        check(rightEmpty, right);
    }

    private static void check(Footprint empty, Footprint full) {
        long each = (full.bytes() - empty.bytes()) / CONNECTIONS;
        assertThat(each)
                .as("bytes a connection:\n%s", full.growthOver(empty, CONNECTIONS))
                .isLessThanOrEqualTo(CONNECTION_BYTES_MAX);
    }
}
