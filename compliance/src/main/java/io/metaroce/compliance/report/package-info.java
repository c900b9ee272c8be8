/**
 * What a run leaves behind: JSON, one page of HTML, JUnit XML, and for each test packets and events. Thread rule: one
 * thread.
 */
@NullMarked
package io.metaroce.compliance.report;

import org.jspecify.annotations.NullMarked;
