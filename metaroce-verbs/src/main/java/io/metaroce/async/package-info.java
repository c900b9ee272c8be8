/**
 * Shapes in which Java programs like to wait: futures, blocking calls, publishers, each a thin layer over a connected
 * queue pair.
 *
 * <p>{@link io.metaroce.async.AsyncQueuePair} is the base: it takes over the completion queue, completes futures on the
 * endpoint's thread and bounds what is in flight. {@link io.metaroce.async.BlockingQueuePair} waits for them, on
 * platform threads and virtual ones alike; {@link io.metaroce.async.MessagePublisher} and
 * {@link io.metaroce.async.MessageSubscriber} speak {@code java.util.concurrent.Flow}.
 *
 * <p>Thread rule: any thread. What depends on a future without an executor runs on the endpoint's thread and must not
 * wait there.
 */
@NullMarked
package io.metaroce.async;

import org.jspecify.annotations.NullMarked;
