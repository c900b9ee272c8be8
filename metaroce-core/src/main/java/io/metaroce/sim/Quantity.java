package io.metaroce.sim;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;

/**
 * Times and shares as fault scripts write them: {@code 200us}, {@code 1.5ms}, {@code 1e-3}, {@code 5%}, {@code 20ppm}.
 */
final class Quantity {
    private static final String[] TIME_UNITS = {"ps", "ns", "us", "ms", "s"};
    private static final long[] TIME_PS = {1, SimTime.NS, SimTime.US, SimTime.MS, SimTime.S};

    private Quantity() {}

    /** Picoseconds; {@code 0} needs no unit. */
    static long timePs(String text) {
        if (text.equals("0")) {
            return 0;
        }
        for (int i = 0; i < TIME_UNITS.length; i++) {
            String unit = TIME_UNITS[i];
            String number = text.substring(0, Math.max(0, text.length() - unit.length()));
            if (text.endsWith(unit) && number.matches("[0-9.]+")) {
                return exact(text, new BigDecimal(number).multiply(BigDecimal.valueOf(TIME_PS[i])));
            }
        }
        throw new IllegalArgumentException(text + " is not a time; write it like 200us or 1.5ms");
    }

    /** Parts per million, at most all of them. */
    static int ppm(String text) {
        BigDecimal value;
        try {
            if (text.endsWith("ppm")) {
                value = new BigDecimal(text.substring(0, text.length() - 3));
            } else if (text.endsWith("%")) {
                value = new BigDecimal(text.substring(0, text.length() - 1)).movePointRight(4);
            } else {
                value = new BigDecimal(text).movePointRight(6);
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(text + " is not a share; write it like 1e-3, 0.05, 5% or 20ppm", e);
        }
        long ppm = exact(text, value);
        if (ppm < 0 || ppm > Chance.PPM) {
            throw new IllegalArgumentException(text + " is a share outside 0..1");
        }
        return (int) ppm;
    }

    /** The shortest writing of a time with a whole number. */
    static String time(long ps) {
        if (ps == 0) {
            return "0";
        }
        int i = TIME_UNITS.length - 1;
        while (ps % TIME_PS[i] != 0) {
            i--;
        }
        return String.format(Locale.ROOT, "%d%s", ps / TIME_PS[i], TIME_UNITS[i]);
    }

    private static long exact(String text, BigDecimal value) {
        try {
            return value.setScale(0, RoundingMode.UNNECESSARY).longValueExact();
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException(text + " is too fine or too large: the grain is 1 ps, and 1 ppm", e);
        }
    }
}
