package io.metaroce.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Values as people type them. */
class ValuesTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "1, 1",
        "65536, 65536",
        "64K, 65536",
        "64k, 65536",
        " 1M , 1048576",
        "2G, 2147483648",
        "8589934591G, 9223372035781033984"
    })
    void sizesArePowersOf1024(String text, long bytes) {
        assertThat(ByteSize.parse(text).bytes()).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "K", "-1", "1.5M", "64KB", "8589934592G", "99999999999999999999", "1 M", "x"})
    void whatIsNoSizeIsToldSo(String text) {
        assertThatThrownBy(() -> ByteSize.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + text + "' is no size");
    }

    @ParameterizedTest
    @CsvSource({"0, 0 B", "100, 100 B", "1024, 1 KiB", "1025, 1025 B", "134217728, 128 MiB", "2147483648, 2 GiB"})
    void sizesArePrintedInTheLargestUnitThatFits(long bytes, String text) {
        assertThat(ByteSize.format(bytes)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({
        "5, 5000000000",
        "500us, 500000",
        "10ms, 10000000",
        "1.5s, 1500000000",
        "2S, 2000000000",
        "1m, 60000000000",
        "7ns, 7",
        "0, 0"
    })
    void timesHaveAUnitOrMeanSeconds(String text, long ns) {
        assertThat(Span.parse(text).duration()).isEqualTo(Duration.ofNanos(ns));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "s", "-1s", "1h", "1..5s", "2 days", "1e3s"})
    void whatIsNoTimeIsToldSo(String text) {
        assertThatThrownBy(() -> Span.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + text + "' is no time");
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "0.01, 0.01", "1%, 0.01", "100%, 1", "1, 1", "0.5 %, 0.005"})
    void sharesAreFractionsOrPercent(String text, double value) {
        assertThat(Share.parse(text).value()).isEqualTo(value, within(1e-12));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "%", "101%", "1.01", "-0.1", "NaN", "one"})
    void whatIsNoProbabilityIsToldSo(String text) {
        assertThatThrownBy(() -> Share.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + text + "' is no probability");
    }

    @Test
    void cutsAreAPathAndPerhapsATime() {
        assertThat(CutSpec.parse("3")).isEqualTo(new CutSpec(3, Duration.ZERO));
        assertThat(CutSpec.parse("12@1.5s")).isEqualTo(new CutSpec(12, Duration.ofMillis(1500)));
        assertThat(CutSpec.parse("0@20ms")).isEqualTo(new CutSpec(0, Duration.ofMillis(20)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "@1s", "-1", "x@1s", "3@", "3@soon"})
    void whatIsNoCutIsToldSo(String text) {
        assertThatThrownBy(() -> CutSpec.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }
}
