/**
 * Work queues, completion queues, doorbells, commands: the one room that several threads enter. Its boundary is that of
 * real hardware.
 *
 * <pre>
 * application threads                                      endpoint's thread
 *   SendRing, ReceiveRing   --cells, then Bell-->            take, release
 *   CommandQueue            --commands, then wake-->         drain
 *   CompletionRing          &lt;--cells, then CompletionSignal-- completed
 *                           --released cells, Bell if wanted-->
 * </pre>
 *
 * <p>Nothing is allocated after a ring was made. The endpoint's thread never waits for another. Every queue is bounded
 * by the number of its cells. Thread rules stand at each method: <em>posting thread</em>, <em>polling thread</em> (any
 * number of either), <em>endpoint thread</em> (one), or any.
 */
@NullMarked
package io.metaroce.queue;

import org.jspecify.annotations.NullMarked;
