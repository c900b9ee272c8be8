package io.metaroce.compliance.verdict;

/** What a test came to. */
public enum Verdict {
    /** The stimulus took effect, every declared requirement was checked, none was violated. */
    PASS,
    /** A MUST was violated; nothing repairs that. */
    FAIL,
    /** Nothing was proved: preamble, stimulus or environment did not come about. */
    INCONCLUSIVE,
    /** The implementation says that it does not have what the test is about. */
    NOT_APPLICABLE,
    /** The tester or the agent has a fault. */
    ERROR
}
