/**
 * Light hosts: nodes without an engine that keep a fabric busy, to measure and to check the fabric alone.
 *
 * <p>Rules and thread rule of {@code io.metaroce.sim} hold here too.
 */
@NullMarked
package io.metaroce.sim.light;

import org.jspecify.annotations.NullMarked;
