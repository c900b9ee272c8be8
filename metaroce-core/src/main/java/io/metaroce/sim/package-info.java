/**
 * The fabric in a box: a deterministic world of hosts, links and switches around the very same engine that runs over
 * sockets. One seed, one result.
 *
 * <pre>
 *   Endpoint &lt;-- Driver &lt;-- Host --&gt; NicPort[plane] --&gt; Link --&gt; Switch --&gt; Link --&gt; ... --&gt; Host
 *                            |                           |
 *          World: clock in ps, EventTree, SeedTree, TraceHash, PacketPool
 *                            |                           |
 *          Invariants, Recorder, PcapWriter (read only)  FaultPlan (from a FaultScript)
 * </pre>
 *
 * <p>Rules: time is an argument in picoseconds, integers only, every random draw comes from a named stream of the root
 * seed, equal instants are ordered by leaf number, nothing is allocated per packet after set-up. May import num, trace,
 * param, datagram, wire, memory, queue, engine and capture; the engine never imports this room.
 *
 * <p>Thread rule: a world and everything in it belongs to one thread.
 */
@NullMarked
package io.metaroce.sim;

import org.jspecify.annotations.NullMarked;
