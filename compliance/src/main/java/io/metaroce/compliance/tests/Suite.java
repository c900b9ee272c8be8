package io.metaroce.compliance.tests;

/** All tests, by subject. */
final class Suite {
    private Suite() {}

    static void fill(Catalogue c) {
        WireTests.fill(c);
        PathTests.fill(c);
        LossTests.fill(c);
        AckTests.fill(c);
        CongestionTests.fill(c);
        HealthTests.fill(c);
        PlacementTests.fill(c);
        OrderTests.fill(c);
        ReadTests.fill(c);
        ConnTests.fill(c);
    }
}
