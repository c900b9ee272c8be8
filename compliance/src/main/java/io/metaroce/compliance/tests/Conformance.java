package io.metaroce.compliance.tests;

import io.metaroce.compliance.lt.Trial;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * One test.
 *
 * @param id its name for ever, {@code AREA-nn}
 * @param title what it demands, as a sentence
 * @param role which side of the implementation it is about
 * @param citations requirements with their revisions
 * @param needs capabilities the implementation must claim
 * @param planes planes it runs on
 * @param body what it does
 */
public record Conformance(
        String id, String title, Role role, List<String> citations, List<String> needs, int planes, Body body) {

    /** Which side of an implementation a test is about. */
    public enum Role {
        /** What it sends and makes of acknowledgements. */
        SENDER,
        /** What it accepts, places and acknowledges. */
        RECEIVER,
        /** Both. */
        BOTH
    }

    /** What a test does. */
    @FunctionalInterface
    public interface Body {
        /** Runs it. */
        void run(Trial t);
    }

    /** The tags it cites, without revisions. */
    public Set<String> tags() {
        Set<String> tags = new LinkedHashSet<>();
        citations.forEach(citation -> tags.add(citation.substring(0, citation.indexOf('@'))));
        return tags;
    }
}
