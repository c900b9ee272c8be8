/**
 * Packets as values: readable twins of the flyweights, with a slow and clear codec and a printer. For tests, traces and
 * tools; nothing of it runs per packet in the engine.
 *
 * <p>Thread rule: records are immutable; a codec is confined to one thread.
 */
@NullMarked
package io.metaroce.wire.model;

import org.jspecify.annotations.NullMarked;
