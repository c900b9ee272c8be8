package io.metaroce.compliance.tests;

/** All tests, by subject. */
final class Suite {
    private Suite() {}

    static void fill(Catalogue c) {
        WireTests.fill(c);
        PathTests.fill(c);
        RouteTests.fill(c);
        SizeTests.fill(c);
        LossTests.fill(c);
        AckTests.fill(c);
        CongestionTests.fill(c);
        HealthTests.fill(c);
        PlaneTests.fill(c);
        PlacementTests.fill(c);
        OrderTests.fill(c);
        SendTests.fill(c);
        RefusalTests.fill(c);
        ReadTests.fill(c);
        ConnTests.fill(c);
    }
}
