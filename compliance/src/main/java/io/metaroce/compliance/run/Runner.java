package io.metaroce.compliance.run;

import io.metaroce.compliance.lt.Trial;
import io.metaroce.compliance.lt.codec.Codec;
import io.metaroce.compliance.tests.Conformance;
import io.metaroce.compliance.verdict.Checks;
import io.metaroce.compliance.verdict.Verdict;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Runs single tests against a target. */
public final class Runner {
    private final Target target;
    private final Codec codec;
    private final long seed;
    private final Declaration declaration;
    private final boolean isStrict;

    /** A runner that believes what the agent claims and takes advice for advice. */
    public Runner(Target target, Codec codec, long seed) {
        this(target, codec, seed, Declaration.claimed(target.about()), false);
    }

    /**
     * A runner of one target.
     *
     * @param target the implementation
     * @param codec the tester's codec
     * @param seed decides every random number of a run in virtual time
     * @param declaration what the implementation has and has not
     * @param isStrict whether a violated SHOULD fails a test
     */
    public Runner(Target target, Codec codec, long seed, Declaration declaration, boolean isStrict) {
        this.target = target;
        this.codec = codec;
        this.seed = seed;
        this.declaration = declaration;
        this.isStrict = isStrict;
    }

    /** Runs one test. */
    public Result run(Conformance test) {
        for (String need : test.needs()) {
            Declaration.Answer answer = declaration.of(need);
            if (answer != Declaration.Answer.YES) {
                boolean isDeclared = answer == Declaration.Answer.NO;
                return new Result(
                        test,
                        isDeclared ? Verdict.NOT_APPLICABLE : Verdict.INCONCLUSIVE,
                        isDeclared
                                ? "declared to be without " + need + declaration.why(need)
                                : "nobody has declared whether there is " + need,
                        List.of(),
                        List.of(),
                        List.of(),
                        0);
            }
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
                    trial.spoken(),
                    session.wire().nowNs() - began);
        }
    }

    private Result judge(Conformance test, Checks checks, @Nullable Verdict stopped, String reason) {
        List<Checks.Check> violations = new ArrayList<>(checks.violations());
        List<Checks.Check> advice = checks.advice();
        if (isStrict) {
            violations.addAll(advice);
        }
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
            why = checks.gap().isEmpty() && !advice.isEmpty()
                    ? "advice: " + advice.get(0).requirement() + ": "
                            + advice.get(0).detail()
                    : checks.gap();
        }
        return new Result(test, verdict, why, List.of(), List.of(), List.of(), 0);
    }
}
