@NullMarked
package io.metaroce.tools.page;

import org.jspecify.annotations.NullMarked;
