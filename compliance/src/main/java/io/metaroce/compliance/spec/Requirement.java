package io.metaroce.compliance.spec;

import java.util.List;

/**
 * One normative sentence as data.
 *
 * @param id its tag for ever, {@code R-AREA-nnn}
 * @param rev grows by one whenever the sentence changes; tests cite it, so a change makes them stale
 * @param level keyword: MUST, MUST NOT, SHOULD or SHOULD NOT
 * @param origin who says so: {@code public} or {@code choice}
 * @param section chapter file it stands in
 * @param text the sentence, without tag and mark, on one line
 * @param sha256 hash of the text
 * @param observed how its violation shows: {@link Observation}
 * @param appliesIf capability an implementation must claim for it to apply, or {@code always}
 * @param reason why it is not seen by packets, completions and memory; empty when it is
 * @param aliases the same requirement in other texts, {@code document#clause}; none so far
 */
public record Requirement(
        String id,
        int rev,
        String level,
        String origin,
        String section,
        String text,
        String sha256,
        Observation observed,
        String appliesIf,
        String reason,
        List<String> aliases) {

    /** How a violation of a requirement shows. */
    public enum Observation {
        /** In packets, completions or memory of one implementation with one scripted peer. */
        WIRE,
        /** Only in a fabric with many hosts or with queues: judged by the laboratory. */
        FABRIC,
        /** Not from outside: judged by tests of the implementation or by reading it. */
        INSPECTION,
        /** Described and not built yet. */
        UNBUILT
    }

    /** Whether an implementation has no choice. */
    public boolean isMust() {
        return level.startsWith("MUST");
    }

    /** Whether the suite has to have a test for it. */
    public boolean isTestable() {
        return observed == Observation.WIRE;
    }

    /** How tests cite it: {@code R-AREA-nnn@rev}. */
    public String citation() {
        return id + "@" + rev;
    }
}
