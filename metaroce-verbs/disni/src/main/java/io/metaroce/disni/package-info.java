/**
 * DiSNI over metaroce: applications written to {@code com.ibm.disni} run unmodified, without a native library.
 *
 * <p>The jar must come before DiSNI's own on the class path: three classes of it stand in for those in which DiSNI
 * enters native code. Everything else of DiSNI is used as it is.
 *
 * <p>Thread rule: any thread, as in DiSNI.
 */
@NullMarked
package io.metaroce.disni;

import org.jspecify.annotations.NullMarked;
