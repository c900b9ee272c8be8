/**
 * Collective operations as compiled graphs: what every rank does, in which order, decided before the first byte moves.
 *
 * <pre>
 *   Task ──► Schedules ──► Program (one for each rank) ──► ProgramRunner ──► RankIo      the port
 *                              └──► ProgramCheck                               ▲
 *                                                              Communicator ───┘          over verbs
 * </pre>
 *
 * <p>A program is data: parallel arrays of nodes and their successors. The same object runs over sockets, over the
 * simulated network and over a model of another transport; completions may come in another order, memory is the same.
 * Every reduction has fixed operands in a fixed order, so sums of floating-point numbers are equal bit by bit too.
 *
 * <p>Thread rule: programs are immutable. Everything else belongs to one thread at a time.
 */
@NullMarked
package io.metaroce.collective;

import org.jspecify.annotations.NullMarked;
