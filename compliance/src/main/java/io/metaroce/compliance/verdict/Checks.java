package io.metaroce.compliance.verdict;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** What a test has looked at. A test that proved nothing does not pass. */
public final class Checks {
    private final Set<String> declared;
    private final List<Check> all = new ArrayList<>();
    private final Set<String> seen = new TreeSet<>();
    private int effects;

    /**
     * One check.
     *
     * @param requirement tag it is about; empty for the effect of a stimulus
     * @param isOk what it came to
     * @param isMonitor made by a standing monitor, not by the test
     * @param isAdvice about a SHOULD: told, and no violation unless the run is strict
     * @param detail what was expected and what was observed
     */
    public record Check(String requirement, boolean isOk, boolean isMonitor, boolean isAdvice, String detail) {}

    /** Signals that the stimulus did not come about, so that nothing can be judged. */
    public static final class NotReached extends RuntimeException {
        private static final long serialVersionUID = 1;

        NotReached(String detail) {
            super(detail, null, false, false);
        }
    }

    /** Checks of a test that declares these tags. */
    public Checks(Set<String> declared) {
        this.declared = Set.copyOf(declared);
    }

    /** The stimulus took effect; if not, the test ends here and proves nothing. */
    public void effective(String what, boolean isSo) {
        if (!isSo) {
            throw new NotReached("not effective: " + what);
        }
        effects++;
        all.add(new Check("", true, false, false, what));
    }

    /** A demand of the test. The first violation of each requirement is kept, all are counted. */
    public void that(String requirement, boolean isOk, String detail) {
        if (!declared.contains(requirement)) {
            throw new IllegalStateException("the test checks " + requirement + " and does not declare it");
        }
        seen.add(requirement);
        all.add(new Check(requirement, isOk, false, false, detail));
    }

    /** Something a SHOULD asks for. */
    public void advise(String requirement, boolean isOk, String detail) {
        that(requirement, true, detail);
        all.set(all.size() - 1, new Check(requirement, isOk, false, true, detail));
    }

    /** A standing monitor saw a violation. */
    public void violated(String requirement, String detail) {
        boolean isFirst =
                all.stream().noneMatch(c -> c.isMonitor() && c.requirement().equals(requirement));
        if (isFirst) {
            all.add(new Check(requirement, false, true, false, detail));
        }
    }

    /** All checks, in order. */
    public List<Check> all() {
        return List.copyOf(all);
    }

    /** Demands that failed. */
    public List<Check> violations() {
        return all.stream().filter(check -> !check.isOk() && !check.isAdvice()).toList();
    }

    /** What a SHOULD asks for and was not so. */
    public List<Check> advice() {
        return all.stream().filter(check -> !check.isOk() && check.isAdvice()).toList();
    }

    /** Tags the test has looked at. */
    public Set<String> reached() {
        return Set.copyOf(seen);
    }

    /** Why this is no proof, or an empty text. */
    public String gap() {
        Set<String> missing = new TreeSet<>(declared);
        missing.removeAll(seen);
        return effects == 0 ? "no effect was checked" : missing.isEmpty() ? "" : "not reached: " + missing;
    }
}
