/** Tests of the suite itself. */
@NullMarked
package io.metaroce.compliance;

import org.jspecify.annotations.NullMarked;
