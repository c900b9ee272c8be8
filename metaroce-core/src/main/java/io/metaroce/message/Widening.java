package io.metaroce.message;

/**
 * A window in columns gets more places. An entry has its place by its number, modulo the places, which are a power of
 * two.
 *
 * @param first number of the first entry of the window
 * @param before places so far
 * @param after places from now on
 */
record Widening(int first, int before, int after) {
    /** {@code wider} with the entries of {@code column} where they belong now; both are arrays of one type. */
    <C> C moved(C column, C wider) {
        for (int number = first; number != first + before; number++) {
            System.arraycopy(column, number & (before - 1), wider, number & (after - 1), 1);
        }
        return wider;
    }
}
