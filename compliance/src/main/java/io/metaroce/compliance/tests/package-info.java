/**
 * The conformance tests, one class per subject; each test reads like its requirement: preamble, stimulus, effect check,
 * demands. Nothing here knows any implementation. Thread rule: the thread of the run.
 */
@NullMarked
package io.metaroce.compliance.tests;

import org.jspecify.annotations.NullMarked;
