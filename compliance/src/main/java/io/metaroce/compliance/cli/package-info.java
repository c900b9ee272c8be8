/** The command line {@code metaroce compliance}: one class per command. Thread rule: the main thread. */
@NullMarked
package io.metaroce.compliance.cli;

import org.jspecify.annotations.NullMarked;
