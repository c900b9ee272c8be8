/** Tests of the simulator, and of the engine inside it. */
@NullMarked
package io.metaroce.sim;

import org.jspecify.annotations.NullMarked;
