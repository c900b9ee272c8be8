package io.metaroce.sim.swarm;

/**
 * A case that failed, and the smallest one that fails in the same way.
 *
 * @param seed seed it was drawn from
 * @param fault what was wrong
 * @param smallest the smallest case found
 */
public record Finding(long seed, String fault, SwarmCase smallest) {
    private static final int KIND_CHARS = 60;

    /** Runs a failing case again and again, ever smaller. */
    public static Finding of(SwarmCase failing, CaseRunner.Outcome outcome, int runs) {
        String kind = kind(outcome.fault());
        SwarmCase smallest = CaseShrinker.shrink(failing, one -> isLike(kind, one), runs);
        return new Finding(failing.seed(), outcome.fault(), smallest);
    }

    private static boolean isLike(String kind, SwarmCase one) {
        String fault = CaseRunner.run(one).fault();
        // A script that no longer fits its smaller network is a failure of shrinking.
        return !fault.isEmpty()
                && !fault.startsWith("java.lang.Illegal")
                && kind(fault).equals(kind);
    }

    // What is left of the first line without its numbers.
    private static String kind(String fault) {
        int end = fault.indexOf('\n');
        String first = end < 0 ? fault : fault.substring(0, end);
        String words = first.replaceAll("[^A-Za-z]+", " ");
        return words.substring(0, Math.min(KIND_CHARS, words.length()));
    }

    /** What to say and how to see it again. */
    public String text() {
        return "seed " + seed + ": " + fault + "\n  again: metaroce sim swarm --from " + seed
                + " --seeds 1\n  or, made small: metaroce sim swarm --replay '" + CaseText.line(smallest) + "'";
    }
}
