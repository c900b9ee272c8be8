package io.metaroce.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaroce.sim.FaultPlan.Fault;
import io.metaroce.sim.FaultPlan.Target;
import io.metaroce.sim.FaultPlan.Verb;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FaultScriptTest {
    private static final String EVERYTHING = """
        drop a data 3 5 9
        packet 4 drop
        packet 5 twice
        packet 7 twice after 30us
        packet 9 late 2us
        at 0 link * gilbert 1000ppm back 250000ppm loss 800000ppm
        at 0 link * truncate 10ppm
        at 0 link * loss 10000ppm burst 8
        at 0 link h7-leaf0 corrupt 1ppm header
        at 0 link h7-leaf0 to h7 corrupt 1ppm payload
        at 0 link * dup 100ppm within 3us
        at 0 link * reorder 100ppm by 3
        at 0 link * reorder 100ppm within 2us
        at 1ms link leaf3-spine1 down
        at 1ms link leaf3-spine1 rate 25%
        at 1ms link leaf3-spine1 plane 1 delay +2us
        at 1ms link * plane 1 from h5 down
        at 1ms host h9 pause 200us
        at 1ms host a blackhole 5 plane 0
        at 1ms host a blackhole service
        at 2ms link * plane 2 up
        at 2ms link * ecn bleach
        at 2ms switch spine4 salt change
        at 5ms heal all except plane 2
        at 6ms heal all
        """;

    @Test
    void whatIsPrintedIsWhatWasRead() {
        FaultPlan plan = FaultScript.parse(EVERYTHING);
        assertThat(FaultScript.print(plan)).isEqualTo(EVERYTHING);
        assertThat(FaultScript.parse(FaultScript.print(plan)).faults()).isEqualTo(plan.faults());
    }

    @Test
    void faultsAreSortedByTimeAndKeepTheirOrderWithinAnInstant() {
        FaultPlan plan = FaultScript.parse("at 2us plane 1 down\nat 1us plane 0 down # first\n\nat 1us plane 0 up\n");
        assertThat(plan.faults())
                .extracting(fault -> fault.change().verb())
                .containsExactly(Verb.DOWN, Verb.UP, Verb.DOWN);
    }

    @Test
    void repetitionIsWrittenOut() {
        FaultPlan plan = FaultScript.parse("from 1ms every 1ms until 3ms: plane 1 down 100us");
        assertThat(plan.faults())
                .extracting(Fault::atPs)
                .containsExactly(SimTime.MS, 1_100 * SimTime.US, 2 * SimTime.MS, 2_100 * SimTime.US);
        assertThat(plan.faults().get(1).change().verb()).isEqualTo(Verb.UP);
        assertThat(FaultScript.parse("from 1ms every 1ms: plane 1 down 100us").faults())
                .hasSize(2 * 999);
    }

    @Test
    void asymmetricFailureNamesOneDirection() {
        FaultPlan plan = FaultScript.parse("at 1ms asym plane 1 from h5 down");
        assertThat(plan.faults().get(0).target()).isEqualTo(Target.plane(1).from("h5"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "at 1ms",
                "at soon plane 1 down",
                "at 1ms plane 1 sideways",
                "at 1ms plane 1 down please",
                "at 1ms link * loss 2",
                "at 1ms link * gilbert 1% loss 50%",
                "packet 0 drop",
                "packet 3 late 0",
                "at 1ms link * loss 1e-9",
                "at 1ms link * reorder 1e-3",
                "at 1ms asym plane 1 down",
                "drop a everything 3",
                "drop a data 5 3",
                "from 1ms every 1us: plane 1 down 2us",
                "from 1ms every 1ms: link * loss 1% 10us",
                "whenever"
            })
    void whatIsNotUnderstoodIsSaidWithItsLine(String line) {
        assertThatThrownBy(() -> FaultScript.parse("# a comment\n" + line))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("line 2")
                .hasMessageContaining(line);
    }

    @ParameterizedTest
    @CsvSource({"1e-3,1000", "0.05,50000", "5%,50000", "20ppm,20", "1,1000000", "0,0"})
    void sharesAreReadInManyWays(String text, int ppm) {
        assertThat(Quantity.ppm(text)).isEqualTo(ppm);
    }

    @ParameterizedTest
    @CsvSource({"0,0", "1ns,1000", "1.5us,1500000", "3ps,3", "2s,2000000000000"})
    void timesAreReadExactly(String text, long ps) {
        assertThat(Quantity.timePs(text)).isEqualTo(ps);
    }

    @ParameterizedTest
    @CsvSource({
        "*,anything,true", "leaf*,leaf3,true", "leaf*,spine3,false", "*-spine1,leaf3-spine1,true",
        "*-spine1,leaf3-spine11,false", "l*-s*,leaf3-spine1,true", "a-b.0,a-b.0,true", "a-b.0,a-b.01,false"
    })
    void starsStandForAnything(String pattern, String name, boolean fits) {
        assertThat(FaultRunner.matches(pattern, name)).isEqualTo(fits);
    }

    @Test
    void aFaultThatConcernsNothingIsRefused() {
        World world = World.ofSeed(1);
        Topology.pair(world, Topology.Pair.plain());
        assertThatThrownBy(() -> world.faults(FaultScript.parse("at 1ms link a-c down")))
                .hasMessageContaining("a-c")
                .hasMessageContaining("a-b.0");
    }
}
