/**
 * What one packet costs: JMH benchmarks of the hot rooms, and {@link io.metaroce.bench.micro.Loop}, two engines coupled
 * in memory, so that the send side and the receive side can be run apart and without a kernel in between.
 *
 * <pre>
 *   LoopSide (sender)   --pollTransmit--&gt;  Tray  --onDatagram--&gt;  LoopSide (receiver)
 *                      &lt;--onDatagram--   Tray  &lt;--pollTransmit--
 * </pre>
 *
 * <p>Time is a number that the benchmark moves on. One thread. {@code metaroce bench micro} runs all of it.
 */
@NullMarked
package io.metaroce.bench.micro;

import org.jspecify.annotations.NullMarked;
