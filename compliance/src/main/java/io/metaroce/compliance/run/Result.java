package io.metaroce.compliance.run;

import io.metaroce.compliance.lt.Seen;
import io.metaroce.compliance.tests.Conformance;
import io.metaroce.compliance.verdict.Checks;
import io.metaroce.compliance.verdict.Verdict;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * What one test came to, with its evidence.
 *
 * @param test the test
 * @param verdict the verdict
 * @param reason why, for every verdict but PASS
 * @param checks all checks
 * @param ledger every packet, both ways
 * @param spoken every command to the agent, every answer and every event
 * @param elapsedNs time of the wire that passed
 */
public record Result(
        Conformance test,
        Verdict verdict,
        String reason,
        List<Checks.Check> checks,
        List<Seen> ledger,
        List<JsonNode> spoken,
        long elapsedNs) {}
