/**
 * The swarm: cases drawn from seeds, run in a world of their own, judged by oracles, and made small when they fail.
 *
 * <p>A case is data ({@link io.metaroce.sim.swarm.SwarmCase}), and one line of text says all of it. Thread rule: a case
 * belongs to the thread that runs it; several may run side by side.
 */
@NullMarked
package io.metaroce.sim.swarm;

import org.jspecify.annotations.NullMarked;
