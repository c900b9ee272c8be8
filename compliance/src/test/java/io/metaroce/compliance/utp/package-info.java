/** Tests of the package of this name. */
@NullMarked
package io.metaroce.compliance.utp;

import org.jspecify.annotations.NullMarked;
