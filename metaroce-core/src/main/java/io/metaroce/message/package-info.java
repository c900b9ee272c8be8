/**
 * Streams, messages, work: how a work request becomes packets, how packets become memory and completions.
 *
 * <pre>
 *   SendRing ──► SendIntake ──► Requester ──► packets        packets ──► Responder ──► Placement
 *                                  ▲                                        │   ▲
 *   CompletionSink ◄── Completer ──┘                CompletionSink ◄────────┘   └── ReceiveIntake ◄── ReceiveRing
 *                          ▲                                                │
 *                          └───── updates of the peer       own updates ◄── StreamReport
 * </pre>
 *
 * <p>A {@code StreamTable} per connection holds the streams; a {@code Stream} is one queue pair's half of the matter.
 * Placement happens on arrival in any order; completions leave in MSN order at both ends.
 *
 * <p>Chapters 13, 14 and 18 of the specification. Thread rule: the endpoint's thread only. Nothing is allocated per
 * packet. Arrows: imports {@code memory}, {@code queue}, {@code wire}, and of {@code connection} only the ports.
 */
@NullMarked
package io.metaroce.message;

import org.jspecify.annotations.NullMarked;
