package io.metaroce.param;

/** Range checks whose message says what was asked, what is allowed and which setting to change. */
final class Check {
    private Check() {}

    static void range(String setting, long value, long low, long high) {
        if (value < low || value > high) {
            throw new IllegalArgumentException(
                    setting + " = " + value + " is outside " + low + ".." + high + "; change the setting " + setting);
        }
    }

    static void powerOfTwo(String setting, long value) {
        if (Long.bitCount(value) != 1) {
            throw new IllegalArgumentException(
                    setting + " = " + value + " is not a power of two; change the setting " + setting);
        }
    }
}
