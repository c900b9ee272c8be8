/**
 * Traces of an endpoint, read: as lines of text, and as a page that draws each path over time.
 *
 * <pre>
 *   TraceFile ─► TraceEvent ─┬─► TraceText                        one line each
 *                            └─► ScopeData ─► PathTrack ─► ScopePage
 * </pre>
 */
@NullMarked
package io.metaroce.tools.scope;

import org.jspecify.annotations.NullMarked;
