@NullMarked
package io.metaroce.tools.lab;

import org.jspecify.annotations.NullMarked;
