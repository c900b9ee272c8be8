/** Pages in one file with charts, for reports of tools. */
@NullMarked
package io.metaroce.tools.page;

import org.jspecify.annotations.NullMarked;
