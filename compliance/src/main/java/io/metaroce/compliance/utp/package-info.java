/**
 * The upper-tester protocol UTP/1: how the suite tells an implementation what its application is to do. One JSON object
 * per line; described in {@code docs/compliance.md}. Thread rule: one caller at a time.
 */
@NullMarked
package io.metaroce.compliance.utp;

import org.jspecify.annotations.NullMarked;
