/** The faults of the self-test, used elsewhere. */
@NullMarked
package io.metaroce.compliance.selftest;

import org.jspecify.annotations.NullMarked;
