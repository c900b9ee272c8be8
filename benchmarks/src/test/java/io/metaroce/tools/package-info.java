/** The tools as their users meet them: arguments in, text, files and exit codes out. */
@NullMarked
package io.metaroce.tools;

import org.jspecify.annotations.NullMarked;
