/**
 * Everything that is true of one path: its slots and their transmissions, its clock of stamps, what it has received,
 * its round-trip time, its timers, its state, and the one procedure by which it leaves a route.
 *
 * <pre>
 *   sending    Path ──► PathRow, PathTable               receiving   InboundPath ── RxWindow
 *                         ├ TxSlots ── SlotSlab                         └ Echo ── HeldEcho ── ReceivePasses
 *                         │    └ LossJudge ── LossRule
 *                         ├ TxStamps, CounterEcho
 *                         ├ RttEstimator ── ProbeTimer
 *                         ├ PathRoute, PathHealth ── PathDeadlines
 *                         └ LossTest, MarkRounds, PathCounts
 * </pre>
 *
 * <p><b>Laid out like the memory of a chip.</b> What a packet or a report needs of the path it belongs to stands side
 * by side in one {@link io.metaroce.path.PathRow}: a wide word, fetched at once. What paths are compared by stands in
 * columns of {@link io.metaroce.path.PathTable}, one value for each path. A part of the room is the logic of one
 * responsibility; it owns a section of the row or a few columns, and is told which row or which number. A receiver
 * compares no paths: an {@link io.metaroce.path.InboundPath} is a row with no columns beside it. What is wider than its
 * {@link io.metaroce.num.Bits} says is so because Java has no such type. What few paths ever need (a candidate route,
 * tolerance of another order, the memory of a route left) is an object of its own, made when it is needed first.
 *
 * <p>Chapters 4, 5 and 9 of the specification. Thread rule: the endpoint's thread only. Nothing is allocated per
 * packet.
 */
@NullMarked
package io.metaroce.path;

import org.jspecify.annotations.NullMarked;
