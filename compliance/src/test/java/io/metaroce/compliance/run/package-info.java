/** Tests of runs and declarations. */
@NullMarked
package io.metaroce.compliance.run;

import org.jspecify.annotations.NullMarked;
