package io.metaroce.compliance.tests;

import java.util.List;
import java.util.Map;
import java.util.Set;

/** What an implementation may claim to be: which tests are about it. Names carry versions and never change. */
public final class TestProfiles {
    /** Receives Writes and acknowledges them, and nothing else; asks for its connections. */
    private static final Set<String> RESPONDER = Set.of(
            "WIRE-02", "WIRE-03", "WIRE-04", "WIRE-05", "WIRE-06", "WIRE-07", "WIRE-08", "WIRE-09", "WIRE-10",
            "WIRE-14", "PATH-04", "PATH-05", "PATH-06", "PATH-07", "PATH-22", "ACK-01", "ACK-02", "ACK-04", "ACK-05",
            "ACK-08", "SACK-03", "PLC-01", "PLC-04", "PLC-07", "PLC-11", "PLC-12", "PLC-13", "PLC-14", "PLC-15",
            "ORD-01");

    private static final Map<String, Set<String>> BY_NAME = Map.of("responder@1.0", RESPONDER);

    private TestProfiles() {}

    /** The tests of a profile; {@code core@1.0} has all. */
    public static List<Conformance> of(String name) {
        if (name.equals("core@1.0")) {
            return Catalogue.all();
        }
        Set<String> ids = BY_NAME.get(name);
        if (ids == null) {
            throw new IllegalArgumentException("no profile " + name + "; known are: core@1.0, responder@1.0");
        }
        return Catalogue.all().stream().filter(test -> ids.contains(test.id())).toList();
    }
}
