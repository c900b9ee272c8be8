/**
 * The requirements as data: read from the chapters, kept in {@code spec/requirements.json} with a revision that grows
 * when a sentence changes. Thread rule: values, made once.
 */
@NullMarked
package io.metaroce.compliance.spec;

import org.jspecify.annotations.NullMarked;
