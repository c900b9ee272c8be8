/**
 * Small programs to begin an application with: each is a file or three, uses what applications use and nothing else,
 * checks its own result and fails when that is wrong. Without arguments both roles run in one process; as {@code server
 * ADDRESS:PORT} and {@code client ADDRESS:PORT} they are two. {@code docs/examples.md} tells what each shows.
 *
 * <p>Thread rule: one thread for each role, and those that a program starts itself.
 */
@NullMarked
package io.metaroce.examples;

import org.jspecify.annotations.NullMarked;
