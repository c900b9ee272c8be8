/**
 * Registered memory, and the only code that writes into it.
 *
 * <pre>
 * remote key, address, length --&gt; RegionTable --&gt; MemoryRegion   RegionPlacement: every check, then one copy
 * local key, offset, length   --&gt; RegionTable --&gt; MemoryRegion   PayloadWindow: what a packet carries, uncopied
 * </pre>
 *
 * <p>Thread rule: everything here belongs to the endpoint's thread; only the bytes are shared with the application, by
 * the rules of verbs: hands off a buffer between post and completion. Answers to chapters 4.3 (step 13) and 16.3.
 */
@NullMarked
package io.metaroce.memory;

import org.jspecify.annotations.NullMarked;
