/**
 * How fast: the sender's windows, pacing and reaction to marks and losses, and the receiver's share of its inbound
 * bandwidth. Integers in, integers out; no clock, nothing allocated per step.
 *
 * <p>Units: bytes are always <em>cost</em> bytes (UDP payload + 66), rates are bytes per second, times nanoseconds.
 *
 * <p>Thread rule: everything here is confined to the thread of its endpoint.
 */
@NullMarked
package io.metaroce.rate;

import org.jspecify.annotations.NullMarked;
