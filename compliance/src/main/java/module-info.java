/** The compliance suite: requirements as data, a tester of its own, reports, and a self-test. An application. */
@SuppressWarnings("module") // nothing is exported
module io.metaroce.compliance {
    requires io.metaroce.core;
    requires io.metaroce.udp;
    requires io.metaroce.verbs;
    requires info.picocli;
    requires static org.jspecify;
    requires tools.jackson.databind;

    opens io.metaroce.compliance.cli to
            info.picocli;
}
