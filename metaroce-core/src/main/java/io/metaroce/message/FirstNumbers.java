package io.metaroce.message;

/**
 * Where the counters of a stream begin: 0 on the wire, elsewhere in tests of the wrap-around.
 *
 * @param msn number of the first message
 * @param rsn number of the first receive
 */
record FirstNumbers(int msn, int rsn) {
    /** What the wire demands. */
    static final FirstNumbers ZERO = new FirstNumbers(0, 0);
}
