/** Tests of the package of this name. */
@NullMarked
package io.metaroce.compliance.lt.codec;

import org.jspecify.annotations.NullMarked;
