package io.metaroce.path;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.wire.PathBlock;
import java.math.BigInteger;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Against counters that never wrap. */
class CounterEchoProperties {
    private static final BigInteger RX_TURN = BigInteger.ONE.shiftLeft(32);
    private static final BigInteger SHORT_TURN = BigInteger.ONE.shiftLeft(16);

    @Property(tries = 200)
    @Covers({"R-PATH-002", "R-PATH-021"})
    void growsByWhatUnboundedCountersGrowBy(
            @ForAll int firstRx, @ForAll @Size(max = 200) List<@IntRange(max = 32_767) Integer> steps) {
        CounterEcho echo = new CounterEcho();
        PathRow row = Rows.of(1);
        BigInteger rx = BigInteger.valueOf(firstRx);
        BigInteger ce = BigInteger.ZERO;
        BigInteger duplicates = BigInteger.ZERO;
        CounterEcho.rebaseNext(row);
        echo.onBlock(row, block(rx, ce, duplicates));
        assertThat(echo.rxDelta()).isZero();
        for (int step : steps) {
            rx = rx.add(BigInteger.valueOf(1000L * step));
            ce = ce.add(BigInteger.valueOf(step));
            duplicates = duplicates.add(BigInteger.valueOf(32_767 - step));
            echo.onBlock(row, block(rx, ce, duplicates));
            assertThat(echo.rxDelta()).isEqualTo(1000 * step);
            assertThat(echo.ceDelta()).isEqualTo(step);
            assertThat(echo.duplicatesDelta()).isEqualTo(32_767 - step);
        }
    }

    private static PathBlock block(BigInteger rx, BigInteger ce, BigInteger duplicates) {
        return Blocks.counted(
                Blocks.empty(),
                rx.mod(RX_TURN).intValue(),
                ce.mod(SHORT_TURN).intValue(),
                duplicates.mod(SHORT_TURN).intValue());
    }
}
