/**
 * Measurements of collective operations between processes, in the layout of nccl-tests.
 *
 * <p>Thread rule: everything of one rank belongs to the thread that runs the tool.
 */
@NullMarked
package io.metaroce.tools.group;

import org.jspecify.annotations.NullMarked;
