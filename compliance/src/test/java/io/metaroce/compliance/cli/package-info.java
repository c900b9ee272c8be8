/** Tests of the package of this name. */
@NullMarked
package io.metaroce.compliance.cli;

import org.jspecify.annotations.NullMarked;
