/** Checks, verdicts and what a run comes to. Thread rule: the thread of the test. */
@NullMarked
package io.metaroce.compliance.verdict;

import org.jspecify.annotations.NullMarked;
