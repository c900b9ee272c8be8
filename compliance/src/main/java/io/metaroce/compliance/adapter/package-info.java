/**
 * This project's engine as an implementation under test: the agent over its verbs, a host in virtual time, and the
 * program that runs both over sockets. The only package that knows the engine. Thread rule: said at each class.
 */
@NullMarked
package io.metaroce.compliance.adapter;

import org.jspecify.annotations.NullMarked;
