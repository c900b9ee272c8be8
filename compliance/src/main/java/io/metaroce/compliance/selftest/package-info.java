/**
 * The suite tested: implementations that are broken in one way, each of which one named test must catch by one named
 * requirement, and variants that are legal and must pass. Thread rule: the thread of the run.
 */
@NullMarked
package io.metaroce.compliance.selftest;

import org.jspecify.annotations.NullMarked;
