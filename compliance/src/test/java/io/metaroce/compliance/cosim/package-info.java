/** Tests of the co-simulation process. */
@NullMarked
package io.metaroce.compliance.cosim;

import org.jspecify.annotations.NullMarked;
