/** What is true of two coupled engines before anything is measured on them. */
@NullMarked
package io.metaroce.bench.micro;

import org.jspecify.annotations.NullMarked;
