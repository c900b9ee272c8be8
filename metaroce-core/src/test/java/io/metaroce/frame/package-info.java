/**
 * The frame: tests that look at the repository itself. They keep rooms apart, the text tidy, the specification and the
 * tests in step, and the documents true.
 */
@NullMarked
package io.metaroce.frame;

import org.jspecify.annotations.NullMarked;
