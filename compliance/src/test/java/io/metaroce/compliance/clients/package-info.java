/** Tests of the programs in other languages; each is skipped, by name, where its compiler or interpreter is missing. */
@NullMarked
package io.metaroce.compliance.clients;

import org.jspecify.annotations.NullMarked;
