package io.metaroce.tools;

/**
 * A probability as people type it: {@code 0.01} or {@code 1%}.
 *
 * @param value between 0 and 1
 */
public record Share(double value) {
    /** Nothing. */
    public static final Share NONE = new Share(0);

    /** Reads a probability. */
    public static Share parse(String text) {
        String trimmed = text.trim();
        boolean percent = trimmed.endsWith("%");
        try {
            double number = Double.parseDouble(percent ? trimmed.substring(0, trimmed.length() - 1) : trimmed);
            double value = percent ? number / 100 : number;
            if (value >= 0 && value <= 1) {
                return new Share(value);
            }
        } catch (NumberFormatException e) {
            // told below, with everything else that is no probability
        }
        throw new IllegalArgumentException("'" + text + "' is no probability; write 0.01 or 1%");
    }
}
