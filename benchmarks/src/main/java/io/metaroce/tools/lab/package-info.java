/**
 * The laboratory: scenarios as data, run in the simulator over the real engine, each divided by its stated bound.
 *
 * <p>A scenario is a file in {@code lab/scenarios}; it names a profile (a fabric) of {@code lab/profiles.json}, one
 * experiment, cases and claims. Every quantity is a whole number whose unit is in its name. One seed, one result.
 * Everything of one run belongs to the thread that runs it.
 */
@NullMarked
package io.metaroce.tools.lab;

import org.jspecify.annotations.NullMarked;
