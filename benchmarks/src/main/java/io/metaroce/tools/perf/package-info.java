/**
 * Bandwidth and latency between two processes: terms that must match, the two sides, what they measure, how it is
 * printed.
 *
 * <pre>
 *   PerfOptions ─► PerfRun ─┬─ PerfClient ── BwSender, LatencyPinger ─► PerfTable, PerfJson
 *                           └─ PerfServer ── BwReceiver, LatencyPonger
 * </pre>
 */
@NullMarked
package io.metaroce.tools.perf;

import org.jspecify.annotations.NullMarked;
