/** Parts of the examples that can be wrong without anybody noticing. */
@NullMarked
package io.metaroce.examples;

import org.jspecify.annotations.NullMarked;
