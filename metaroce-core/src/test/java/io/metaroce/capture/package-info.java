@NullMarked
package io.metaroce.capture;

import org.jspecify.annotations.NullMarked;
