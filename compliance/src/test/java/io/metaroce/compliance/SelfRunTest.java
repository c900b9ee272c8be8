package io.metaroce.compliance;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.compliance.adapter.SelfTarget;
import io.metaroce.compliance.lt.codec.Codec;
import io.metaroce.compliance.report.Outcome;
import io.metaroce.compliance.run.Result;
import io.metaroce.compliance.run.Runner;
import io.metaroce.compliance.spec.Checkout;
import io.metaroce.compliance.spec.Json;
import io.metaroce.compliance.spec.Requirements;
import io.metaroce.compliance.tests.Catalogue;
import io.metaroce.compliance.tests.Conformance;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The engine of this project passes its suite in virtual time, twice with the same bytes. */
class SelfRunTest {
    private static final Requirements REQUIREMENTS = Requirements.load(Checkout.spec());

    @Test
    void everyTestPassesOrDoesNotApply() {
        Outcome outcome = run();
        List<String> troubles = outcome.troubles().stream()
                .map(result -> result.test().id() + " " + result.verdict() + ": " + result.reason())
                .toList();
        assertThat(troubles).isEmpty();
        assertThat(Json.pretty(run().json())).as("a second run says the same").isEqualTo(Json.pretty(outcome.json()));
    }

    @Test
    void everyCitationIsOfThePresentText() {
        List<String> faults = new ArrayList<>();
        for (Conformance test : Catalogue.all()) {
            for (String citation : test.citations()) {
                String fault = REQUIREMENTS.fault(citation);
                if (fault != null) {
                    faults.add(test.id() + ": " + fault);
                }
            }
        }
        assertThat(faults).isEmpty();
    }

    private static Outcome run() {
        SelfTarget target = new SelfTarget();
        Codec codec = Codec.ofCheckout();
        Runner runner = new Runner(target, codec, 1);
        List<Result> results = new ArrayList<>();
        Catalogue.all().forEach(test -> results.add(runner.run(test)));
        return new Outcome(target, "core@1.0", REQUIREMENTS, 1, results);
    }
}
