/** Tests of the package of this name. */
@NullMarked
package io.metaroce.compliance.spec;

import org.jspecify.annotations.NullMarked;
