/** Counters, drop reasons and events: what the engine says about itself. It never changes what the engine does. */
@NullMarked
package io.metaroce.trace;

import org.jspecify.annotations.NullMarked;
