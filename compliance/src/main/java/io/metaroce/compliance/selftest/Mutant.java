package io.metaroce.compliance.selftest;

import java.util.function.Supplier;

/**
 * A broken implementation.
 *
 * @param id its number, {@code M01} …
 * @param title what is broken
 * @param test the test that must catch it
 * @param requirement the requirement that must be found violated
 * @param fault makes the fault anew
 */
record Mutant(String id, String title, String test, String requirement, Supplier<Fault> fault) {}
