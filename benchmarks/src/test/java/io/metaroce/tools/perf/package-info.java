@NullMarked
package io.metaroce.tools.perf;

import org.jspecify.annotations.NullMarked;
