/** Bad input: datagrams that no peer would send, at engines that are busy. */
@NullMarked
package io.metaroce.bench.fuzz;

import org.jspecify.annotations.NullMarked;
