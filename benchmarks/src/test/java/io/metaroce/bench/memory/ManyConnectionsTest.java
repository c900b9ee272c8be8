package io.metaroce.bench.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.bench.micro.Crowd;
import org.junit.jupiter.api.Test;

/** The state of an endpoint with thousands of connections. */
class ManyConnectionsTest {
    private static final int CONNECTIONS = 4_000;
    private static final int PATHS = 16;
    private static final long STATE_BYTES_MAX = 64_000_000;
    private static final int FEW = 4;
    private static final int ROUNDS_MAX = 1_000;
    private static final int ROUNDS_PER_COUNT = 50; // to count takes as long as to talk that often

    // Covers R-OBS-002
    @Test
    void fourThousandConnectionsFitIntoSixtyFourMegabytesWithAllSixteenPathsInUse() {
        Crowd crowd = new Crowd(CONNECTIONS);
        crowd.connect();
        talkBothWays(crowd, CONNECTIONS);
        long later = bytesUntilEveryPathHasCarriedBothWays();
        check(Footprint.of(crowd.left()), later);
        check(Footprint.of(crowd.right()), later);
    }

    private static void check(Footprint endpoint, long laterBytes) {
        assertThat(endpoint.count("Path")).isEqualTo((long) CONNECTIONS * PATHS);
        assertThat(endpoint.bytes() + CONNECTIONS * laterBytes)
                .as("%s bytes, and %s a connection later", endpoint.bytes(), laterBytes)
                .isLessThanOrEqualTo(STATE_BYTES_MAX);
    }

    /** By how much a connection that has begun to talk still grows: a path costs its receiver when it is first used. */
    private static long bytesUntilEveryPathHasCarriedBothWays() {
        Crowd crowd = new Crowd(FEW);
        crowd.connect();
        talkBothWays(crowd, FEW);
        Footprint left = Footprint.of(crowd.left());
        Footprint right = Footprint.of(crowd.right());
        long leftBytes = left.bytes();
        long rightBytes = right.bytes();
        for (int i = 0; i < ROUNDS_MAX && pathsUsed(left) + pathsUsed(right) < 2 * FEW * PATHS; i += ROUNDS_PER_COUNT) {
            for (int round = 0; round < ROUNDS_PER_COUNT; round++) {
                talkBothWays(crowd, FEW);
            }
            left = Footprint.of(crowd.left());
            right = Footprint.of(crowd.right());
        }
        assertThat(pathsUsed(left)).isEqualTo(FEW * PATHS);
        assertThat(pathsUsed(right)).isEqualTo(FEW * PATHS);
        return Math.max(left.bytes() - leftBytes, right.bytes() - rightBytes) / FEW;
    }

    private static long pathsUsed(Footprint endpoint) {
        return endpoint.count("InboundPath");
    }

    private static void talkBothWays(Crowd crowd, int messages) {
        crowd.post(messages);
        crowd.settle();
        crowd.postBack(messages);
        crowd.settle();
    }
}
