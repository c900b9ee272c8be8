/** Tests of reports. */
@NullMarked
package io.metaroce.compliance.report;

import org.jspecify.annotations.NullMarked;
