package io.metaroce.param;

import java.util.OptionalInt;

/**
 * Where the counters of a connection begin. On the wire they begin as {@link #USUAL} says; elsewhere in models and
 * tests only, so that a short run meets the end of every circle. Both ends of a connection must be given the same.
 *
 * @param msn number of the first message of a stream
 * @param rsn number of the first receive of a stream
 * @param tag tag of the first Read or atomic
 * @param ackSeq number before that of the first report
 * @param epoch epoch of the first route of a path, 0..255
 * @param psnSeed what the numbers of slots begin with; empty: drawn, as it must be
 */
public record FirstNumbers(int msn, int rsn, int tag, int ackSeq, int epoch, OptionalInt psnSeed) {
    /** What the specification demands: zero, and a drawn seed. */
    public static final FirstNumbers USUAL = new FirstNumbers(0, 0, 0, 0, 0, OptionalInt.empty());

    /** Checks the bounds. */
    public FirstNumbers {
        Check.range("epoch", epoch, 0, 255);
    }

    /** The usual ones, but messages, receives and tags begin at {@code first}. */
    public static FirstNumbers ofStreams(int first) {
        return new FirstNumbers(first, first, first, 0, 0, OptionalInt.empty());
    }
}
