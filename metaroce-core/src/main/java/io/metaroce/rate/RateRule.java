package io.metaroce.rate;

/**
 * How windows answer to a signal. There is one rule for networks that mark, and there will be one for networks that do
 * not.
 */
interface RateRule {
    /** Applies one signal; round, base and flight of the path are up to date. */
    void step(long nowNs, PathWindow path, RateSignal signal);
}
