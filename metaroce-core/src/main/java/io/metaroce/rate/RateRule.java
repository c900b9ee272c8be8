package io.metaroce.rate;

/** How windows answer to a signal: one rule for networks that mark, one for networks that do not. */
interface RateRule {
    /**
     * Applies one signal; round, base and flight of the path are up to date.
     *
     * @param roundBegins whether the path's round before has ended with this signal
     */
    void step(long nowNs, int path, boolean roundBegins, RateSignal signal);
}
