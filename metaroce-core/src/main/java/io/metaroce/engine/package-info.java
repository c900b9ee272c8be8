/**
 * One local endpoint, and the loop that drives it.
 *
 * <pre>
 *   feed      Driver.feed ─► Endpoint.onDatagram ─► ConnectionTable ─► Connection
 *   command   CommandQueue, DoorbellQueue ─► Endpoint.onDoorbell
 *   poll      Endpoint.pollTransmit ◄─ ReadyList ◄─ connections with something to say
 *   time      Endpoint.deadlineNs ◄─ DeadlineHeap
 * </pre>
 *
 * <p>No I/O, no clock, no thread: whoever drives brings time and datagrams and takes packets. Over UDP and in the
 * simulator the same {@link io.metaroce.engine.Driver} does.
 */
@NullMarked
package io.metaroce.engine;

import org.jspecify.annotations.NullMarked;
