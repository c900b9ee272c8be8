/** Runs tests against a target and keeps what they came to. Thread rule: one thread. */
@NullMarked
package io.metaroce.compliance.run;

import org.jspecify.annotations.NullMarked;
