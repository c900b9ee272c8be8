/** How much memory the state of an endpoint takes, counted object by object. */
@NullMarked
package io.metaroce.bench.memory;

import org.jspecify.annotations.NullMarked;
