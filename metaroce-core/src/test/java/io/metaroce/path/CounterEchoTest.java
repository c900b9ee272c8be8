package io.metaroce.path;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.wire.PathBlock;
import org.junit.jupiter.api.Test;

class CounterEchoTest {
    private final CounterEcho echo = new CounterEcho();
    private final PathRow row = Rows.of(1);

    @Test
    void growthIsWhatCounts() {
        block(10, 2, 1);
        assertDeltas(10, 2, 1);
        block(15, 2, 4);
        assertDeltas(5, 0, 3);
        block(15, 2, 4);
        assertDeltas(0, 0, 0);
    }

    @Test
    @Covers("R-PATH-002")
    void countersWrap() {
        CounterEcho.rebaseNext(row);
        block(-3, 0xFFFE, 0xFFFF);
        block(2, 1, 0);
        assertDeltas(5, 3, 1);
    }

    @Test
    void packetsNeverCountBackwards() {
        block(10, 0, 0);
        block(7, 0, 0);
        assertThat(echo.rxDelta()).isZero();
    }

    @Test
    @Covers("R-PATH-021")
    void theFirstBlockAfterARebindOnlySetsTheCounters() {
        block(10, 2, 1);
        CounterEcho.rebaseNext(row);
        block(100, 50, 20);
        assertDeltas(0, 0, 0);
        block(104, 51, 20);
        assertDeltas(4, 1, 0);
    }

    private void block(int rx, int ce, int duplicates) {
        PathBlock block = Blocks.empty();
        echo.onBlock(row, Blocks.counted(block, rx, ce, duplicates));
    }

    private void assertDeltas(int rx, int ce, int duplicates) {
        assertThat(echo.rxDelta()).isEqualTo(rx);
        assertThat(echo.ceDelta()).isEqualTo(ce);
        assertThat(echo.duplicatesDelta()).isEqualTo(duplicates);
    }
}
