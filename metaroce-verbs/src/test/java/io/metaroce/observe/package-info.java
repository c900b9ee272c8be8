@NullMarked
package io.metaroce.observe;

import org.jspecify.annotations.NullMarked;
