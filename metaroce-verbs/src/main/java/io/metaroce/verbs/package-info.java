/**
 * The verbs interface: what an application sees of the transport, in the words of RDMA programmers.
 *
 * <pre>
 *   Device ── ProtectionDomain ── MemoryRegion          who may touch which bytes
 *     │             └──────────── QueuePair ──┐         where work is posted
 *     ├── CompletionQueue ◄───────────────────┤         where results are polled
 *     └── Listener, Connector ── Connection ──┘         several queue pairs share one connection and its paths
 * </pre>
 *
 * <p>All of it is thin: check on the caller's thread, copy into a cell, ring. Whatever changes the engine's state
 * (create, register, connect, accept, close) travels as a command to the endpoint's thread and is waited for with a
 * deadline. No lock is held while waiting, so the blocking calls are safe on virtual threads.
 *
 * <p>Thread rule: every method of every class may be called from any thread. Within a callback
 * ({@link io.metaroce.verbs.AsyncEventListener}, {@link io.metaroce.verbs.CmEventListener},
 * {@link io.metaroce.verbs.CompletionHandler}), which runs on the endpoint's thread, post and poll as you like; what
 * waits is refused with a {@link io.metaroce.verbs.VerbsException}. Results that are polled into belong to one thread
 * at a time.
 */
@NullMarked
package io.metaroce.verbs;

import org.jspecify.annotations.NullMarked;
