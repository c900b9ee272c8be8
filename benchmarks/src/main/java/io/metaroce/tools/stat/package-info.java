/** Looking at the endpoints of a running process from outside, by JMX. */
@NullMarked
package io.metaroce.tools.stat;

import org.jspecify.annotations.NullMarked;
