/**
 * Numbers and nothing else: serial arithmetic, bitmaps, small floating formats of the wire, fixed point, deadlines and
 * the only source of randomness.
 *
 * <p>Thread rule: values are confined to the thread that owns them; nothing here is shared.
 */
@NullMarked
package io.metaroce.num;

import org.jspecify.annotations.NullMarked;
