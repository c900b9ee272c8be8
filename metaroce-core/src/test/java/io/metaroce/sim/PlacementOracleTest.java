package io.metaroce.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class PlacementOracleTest {
    private final ByteBuffer memory = ByteBuffer.allocateDirect(100);
    private final PlacementOracle oracle = new PlacementOracle();
    private final PlacementOracle.Watched region = oracle.watch("target", memory);
    private final ByteBuffer message = ByteBuffer.wrap(new byte[] {1, 2, 3, 4});

    @Test
    void nothingAnnouncedNothingMayChange() {
        memory.put(99, (byte) 1);
        assertThat(oracle.faultNow()).contains("target").contains("byte 99");
    }

    @Test
    void halfOfAWriteIsRightUnderWayAndWrongAtTheEnd() {
        region.expect(10, message, 0, 4);
        memory.put(11, (byte) 2);
        memory.put(13, (byte) 4);
        assertThat(oracle.faultNow()).isEmpty();
        assertThat(oracle.faultAtEnd()).contains("byte 10");
        memory.put(10, (byte) 1);
        memory.put(12, (byte) 3);
        assertThat(oracle.faultAtEnd()).isEmpty();
    }

    @Test
    void wrongBytesInTheRightPlaceAreSeen() {
        region.expect(10, message, 0, 4);
        memory.put(11, (byte) 9);
        assertThat(oracle.faultNow()).contains("byte 11");
    }

    @Test
    void whatIsSettledIsNotTakenBack() {
        region.expect(10, message, 0, 4);
        memory.put(10, message, 0, 4);
        region.settle();
        assertThat(oracle.faultNow()).isEmpty();
        memory.put(10, (byte) 0);
        assertThat(oracle.faultNow()).contains("byte 10");
    }
}
