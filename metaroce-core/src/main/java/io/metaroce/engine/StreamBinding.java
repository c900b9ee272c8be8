package io.metaroce.engine;

import io.metaroce.queue.ReceiveRing;
import io.metaroce.queue.SendRing;

/**
 * A queue pair to be bound to a stream.
 *
 * @param streamId the stream: 0, or even for the side that connects, odd for the side that listens
 * @param domain protection domain of the queue pair
 * @param sends its send queue
 * @param receives its receive queue
 */
public record StreamBinding(int streamId, int domain, SendRing sends, ReceiveRing receives) {}
