/**
 * Everything that is true of one path: its slots and their transmissions, its clock of stamps, what it has received,
 * its round-trip time, its timers, its state, and the one procedure by which it leaves a route.
 *
 * <pre>
 *   sending    Path ── TxSlots ── SlotSlab        receiving   InboundPath ── RxWindow
 *                │        └ LossRule                             └ Echo
 *                ├ RttEstimator, ProbeTimer, TxStamps
 *                └ PathState, Rebind
 * </pre>
 *
 * <p>Chapters 4, 5 and 9 of the specification. Thread rule: the endpoint's thread only. Nothing is allocated per
 * packet.
 */
@NullMarked
package io.metaroce.path;

import org.jspecify.annotations.NullMarked;
