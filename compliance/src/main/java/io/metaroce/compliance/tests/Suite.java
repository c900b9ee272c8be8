package io.metaroce.compliance.tests;

/** All tests, by subject. */
final class Suite {
    private Suite() {}

    static void fill(Catalogue c) {
        LossTests.fill(c);
        PlacementTests.fill(c);
    }
}
