/** Guards: in a running engine no packet allocates anything. */
@NullMarked
package io.metaroce.bench.alloc;

import org.jspecify.annotations.NullMarked;
