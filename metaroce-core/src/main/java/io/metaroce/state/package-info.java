/** State machines as closed tables: printed in full, snapshotted by a test, published under {@code spec/state/}. */
@NullMarked
package io.metaroce.state;

import org.jspecify.annotations.NullMarked;
