package io.metaroce.compliance.tests;

import io.metaroce.compliance.tests.Conformance.Body;
import io.metaroce.compliance.tests.Conformance.Role;
import java.util.ArrayList;
import java.util.List;

/**
 * Collects tests:
 *
 * <pre>{@code
 * c.sender("REL-01", "a gap is repaired at once, by that slot, on its path")
 *         .proves("R-LOSS-001@1", "R-LOSS-002@1")
 *         .by(t -> { … });
 * }</pre>
 */
public final class Catalogue {
    private final List<Conformance> tests = new ArrayList<>();

    /** All tests of the suite, in order. */
    public static List<Conformance> all() {
        Catalogue catalogue = new Catalogue();
        Suite.fill(catalogue);
        return List.copyOf(catalogue.tests);
    }

    Draft sender(String id, String title) {
        return new Draft(id, title, Role.SENDER);
    }

    Draft receiver(String id, String title) {
        return new Draft(id, title, Role.RECEIVER);
    }

    Draft both(String id, String title) {
        return new Draft(id, title, Role.BOTH);
    }

    /** A test that is being written. */
    final class Draft {
        private final String id;
        private final String title;
        private final Role role;
        private List<String> citations = List.of();
        private List<String> needs = List.of();
        private int planes = 1;

        Draft(String id, String title, Role role) {
            this.id = id;
            this.title = title;
            this.role = role;
        }

        Draft proves(String... requirements) {
            citations = List.of(requirements);
            return this;
        }

        Draft needs(String... capabilities) {
            needs = List.of(capabilities);
            return this;
        }

        Draft planes(int count) {
            planes = count;
            return this;
        }

        void by(Body body) {
            if (tests.stream().anyMatch(test -> test.id().equals(id))) {
                throw new IllegalStateException("two tests are called " + id);
            }
            tests.add(new Conformance(id, title, role, citations, needs, planes, body));
        }
    }
}
