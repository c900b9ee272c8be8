/**
 * COSIM/1: the behavioural model as a process, as {@code docs/cosim.md} describes it. Thread rule: one thread, that of
 * the client being served.
 */
@NullMarked
package io.metaroce.compliance.cosim;

import org.jspecify.annotations.NullMarked;
