package io.metaroce.num;

import java.math.BigInteger;

/** Serial arithmetic of any width, by counting on a circle: the model of {@link Serial32} and {@link Serial16}. */
final class SerialTwin {
    private final BigInteger circle;
    private final BigInteger half;

    SerialTwin(int bits) {
        circle = BigInteger.ONE.shiftLeft(bits);
        half = circle.shiftRight(1);
    }

    /** Steps from {@code from} ahead to {@code to}. */
    BigInteger advance(BigInteger from, BigInteger to) {
        return to.subtract(from).mod(circle);
    }

    /** Whether {@code a} comes before {@code b}, which at exactly half a circle each does. */
    boolean isBefore(BigInteger a, BigInteger b) {
        BigInteger ahead = advance(a, b);
        return ahead.signum() > 0 && ahead.compareTo(half) <= 0;
    }

    /** The number on the circle. */
    BigInteger wrapped(BigInteger number) {
        return number.mod(circle);
    }
}
