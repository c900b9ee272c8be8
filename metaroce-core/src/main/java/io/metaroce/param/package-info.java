/**
 * Settings as records without behaviour. A room reads only its own record. Bounds are checked when a record is made.
 */
@NullMarked
package io.metaroce.param;

import org.jspecify.annotations.NullMarked;
