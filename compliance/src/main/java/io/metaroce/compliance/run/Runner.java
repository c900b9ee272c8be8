package io.metaroce.compliance.run;

import io.metaroce.compliance.lt.Trial;
import io.metaroce.compliance.lt.codec.Codec;
import io.metaroce.compliance.tests.Conformance;
import io.metaroce.compliance.verdict.Checks;
import io.metaroce.compliance.verdict.Verdict;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Runs single tests against a target. */
public final class Runner {
    private final Target target;
    private final Codec codec;
    private final long seed;

    /** A runner of one target; the seed decides every random number of a run in virtual time. */
    public Runner(Target target, Codec codec, long seed) {
        this.target = target;
        this.codec = codec;
        this.seed = seed;
    }

    /** Runs one test. */
    public Result run(Conformance test) {
        String missing = missing(test);
        if (missing != null) {
            return new Result(test, Verdict.NOT_APPLICABLE, missing, List.of(), List.of(), List.of(), 0);
        }
        Checks checks = new Checks(test.tags());
        Target.Session session = target.open(seed + test.id().hashCode(), test.planes());
        try (session) {
            long began = session.wire().nowNs();
            Trial trial = new Trial(session.wire(), session.agent(), codec, checks, target.about());
            String reason = "";
            Verdict stopped = null;
            try {
                test.body().run(trial);
                trial.postamble();
            } catch (Checks.NotReached e) {
                stopped = Verdict.INCONCLUSIVE;
                reason = String.valueOf(e.getMessage());
            } catch (RuntimeException e) {
                stopped = Verdict.ERROR;
                reason = e + " at " + (e.getStackTrace().length == 0 ? "?" : e.getStackTrace()[0]);
            }
            Result judged = judge(test, checks, stopped, reason);
            return new Result(
                    test,
                    judged.verdict(),
                    judged.reason(),
                    checks.all(),
                    trial.ledger(),
                    trial.events(),
                    session.wire().nowNs() - began);
        }
    }

    private static Result judge(Conformance test, Checks checks, @Nullable Verdict stopped, String reason) {
        List<Checks.Check> violations = checks.violations();
        Verdict verdict;
        String why;
        if (!violations.isEmpty()) {
            verdict = Verdict.FAIL;
            why = violations.get(0).requirement() + ": " + violations.get(0).detail();
        } else if (stopped != null) {
            verdict = stopped;
            why = reason;
        } else {
            verdict = checks.gap().isEmpty() ? Verdict.PASS : Verdict.INCONCLUSIVE;
            why = checks.gap();
        }
        return new Result(test, verdict, why, List.of(), List.of(), List.of(), 0);
    }

    private @Nullable String missing(Conformance test) {
        for (String need : test.needs()) {
            boolean isThere = false;
            for (JsonNode cap : target.about().path("caps")) {
                isThere |= cap.asString().equals(need);
            }
            if (!isThere) {
                return "the implementation does not claim the capability " + need;
            }
        }
        return null;
    }
}
