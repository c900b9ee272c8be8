/**
 * RoCEv2 as others build it, to compare with: queue pairs over one port each, go-back-N or selective repeat, DCQCN.
 * Real sizes, no real payload.
 *
 * <p>These models must keep to closed forms of their own before anything is compared with them. Rules and thread rule
 * of {@code io.metaroce.sim} hold here too.
 */
@NullMarked
package io.metaroce.sim.roce;

import org.jspecify.annotations.NullMarked;
