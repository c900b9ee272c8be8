/**
 * The behavioural model: the engine stepped by its inputs, with recorders at its ports and no clock. Thread rule: one
 * thread at a time.
 */
@NullMarked
package io.metaroce.compliance.adapter.model;

import org.jspecify.annotations.NullMarked;
