package io.metaroce.compliance;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.compliance.adapter.SelfTarget;
import io.metaroce.compliance.lt.codec.Codec;
import io.metaroce.compliance.selftest.Coverage;
import io.metaroce.compliance.selftest.SelfTest;
import io.metaroce.compliance.selftest.SelfTest.Row;
import io.metaroce.compliance.spec.Checkout;
import io.metaroce.compliance.spec.Requirements;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every broken implementation of the catalogue is caught by the test and the requirement it belongs to. */
class SelfTestTest {
    @Test
    void everyMutantIsKilled() {
        Codec codec = Codec.ofCheckout();
        List<Row> rows = new SelfTest(new SelfTarget(), codec).mutants("M", row -> {});
        assertThat(rows).hasSizeGreaterThanOrEqualTo(60);
        assertThat(rows.stream().filter(row -> !row.isGood()).toList()).isEmpty();
    }

    @Test
    void everyTestableMustHasATestAndAMutantAndEveryTestCatchesOne() {
        Coverage coverage = new Coverage(Requirements.load(Checkout.spec()));
        assertThat(coverage.untested()).as("MUSTs without a test").isEmpty();
        assertThat(coverage.unbroken()).as("MUSTs without a mutant").isEmpty();
        assertThat(coverage.unproven()).as("tests that have to catch nothing").isEmpty();
    }
}
