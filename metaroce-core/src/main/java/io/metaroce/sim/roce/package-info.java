/**
 * RoCEv2 as others build it, to compare with: queue pairs over one port each, go-back-N or selective repeat, DCQCN.
 * Real sizes, no real payload. Pauses and adaptive routing are those of the fabric around them.
 *
 * <p>A {@code RoceChannel} carries messages from host to host in order, over one or more queue pairs in turn; a
 * {@code RoceListener} hears of those that have come and those that have been acknowledged.
 *
 * <p>These models must keep to closed forms of their own before anything is compared with them. Rules and thread rule
 * of {@code io.metaroce.sim} hold here too.
 */
@NullMarked
package io.metaroce.sim.roce;

import org.jspecify.annotations.NullMarked;
