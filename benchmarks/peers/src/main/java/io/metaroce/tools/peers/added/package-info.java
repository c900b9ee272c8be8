/**
 * Others to compare with that are no dependency of anything: Aeron and the QUIC of Netty, as peers of {@code metaroce
 * bench peers}. Built by the profile {@code peers} alone.
 *
 * <p>Thread rule: that of {@link io.metaroce.tools.peers}. Aeron has one thread a process, which runs its media driver,
 * its client and the test; QUIC has one event loop.
 */
@NullMarked
package io.metaroce.tools.peers.added;

import org.jspecify.annotations.NullMarked;
