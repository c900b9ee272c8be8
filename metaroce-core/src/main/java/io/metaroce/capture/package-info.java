/**
 * What an endpoint says and does, written down: captures for Wireshark, traces for tools and people. Everything here is
 * a {@link io.metaroce.engine.PacketTap} or serves one.
 *
 * <p>Thread rule: that of the endpoint that is watched; whoever gives a stream away to a writer closes it after the tap
 * was taken off.
 */
@NullMarked
package io.metaroce.capture;

import org.jspecify.annotations.NullMarked;
