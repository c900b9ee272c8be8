package io.metaroce.tools.peers;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.tools.CacheLine.Placement;
import io.metaroce.tools.peers.Contest.Figure;
import io.metaroce.tools.peers.Ratios.Ratio;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RatiosTest {
    private static final Placement NEAR = new Placement(60);

    @Test
    void theBestOfEachSideIsComparedAndDatagramsAbove8KiBAreNot() {
        Leg loopback =
                leg(0, Map.of("metaroce", 24.0, "metaroce-8k", 30.0, "aeron-8k", 9.0, "aeron-64k", 40.0, "quic", 10.0));
        List<Ratio> ratios = Ratios.of(loopback, List.of()).all();
        assertThat(ratios).hasSize(3);
        assertThat(ratios.get(0).ratio()).isEqualTo(30.0 / 9);
        assertThat(ratios.get(0).verdict()).isEqualTo("holds");
        assertThat(ratios.get(1).ratio()).isEqualTo(3);
        assertThat(ratios.get(1).verdict()).isEqualTo("missed");
        assertThat(ratios.get(2).verdict()).isEqualTo("not measured");
        assertThat(ratios.get(2).basis()).contains("rxd");
    }

    @Test
    void atATenthLostTheBestOfAllOthersCounts() {
        Leg tenth = leg(0.1, Map.of("metaroce", 6.0, "tcp", 0.2, "aeron-64k", 0.5));
        Leg hundredth = leg(0.01, Map.of("metaroce", 6.0, "tcp", 5.0));
        List<Ratio> ratios =
                Ratios.of(leg(0, Map.of()), List.of(hundredth, tenth)).all();
        assertThat(ratios).hasSize(4);
        assertThat(ratios.get(3).ratio()).isEqualTo(12);
        assertThat(ratios.get(3).basis()).isEqualTo("metaroce to aeron-64k");
    }

    private static Leg leg(double loss, Map<String, Double> goodput) {
        List<Leg.Row> rows = new ArrayList<>();
        goodput.forEach((peer, value) -> {
            Samples samples = new Samples();
            samples.add(value, NEAR, NEAR);
            rows.add(new Leg.Row(peer, Figure.GOODPUT, samples));
        });
        return new Leg("test", loss, rows, List.of());
    }
}
