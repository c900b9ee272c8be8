/**
 * Everything that is true of one path: its slots and their transmissions, its clock of stamps, what it has received,
 * its round-trip time, its timers, its state, and the one procedure by which it leaves a route.
 *
 * <pre>
 *   sending    Path ──► PathTable                        receiving   InboundPath ── RxWindow
 *                         ├ TxSlots ── SlotSlab                         └ Echo
 *                         │    └ LossJudge ── LossRule
 *                         ├ TxStamps, CounterEcho
 *                         ├ RttEstimator ── ProbeTimer
 *                         ├ PathRoute, PathHealth ── PathDeadlines
 *                         └ LossTest, MarkRounds, PathStats
 * </pre>
 *
 * <p><b>Laid out like the memory of a chip.</b> What a sender keeps of its paths stands in columns: each part owns a
 * few arrays as wide as their quantity needs, one row per path, and every operation names its row. A part is thus what
 * a small SRAM with its logic would be, the number of the path is the address, and {@link io.metaroce.path.Path} is no
 * more than that number and the way to the parts. What is wider than its {@link io.metaroce.num.Bits} says is so
 * because Java has no such type. What few paths ever need (a candidate route, tolerance of another order, the memory of
 * a route left) is an object of its own, made when it is needed first.
 *
 * <p>Chapters 4, 5 and 9 of the specification. Thread rule: the endpoint's thread only. Nothing is allocated per
 * packet.
 */
@NullMarked
package io.metaroce.path;

import org.jspecify.annotations.NullMarked;
