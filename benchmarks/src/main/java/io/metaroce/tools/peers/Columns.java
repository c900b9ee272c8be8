package io.metaroce.tools.peers;

import java.io.IOException;
import java.util.List;

/** A line of names and the line of values below it, as tools print them. */
record Columns(List<String> names, List<String> values) {
    /** Finds the line that has {@code name} among its names. */
    static Columns read(String printed, String separator, String name) throws IOException {
        List<String> lines = printed.lines().map(String::strip).toList();
        for (int i = 0; i + 1 < lines.size(); i++) {
            List<String> names = List.of(lines.get(i).split(separator, -1));
            if (names.contains(name)) {
                return new Columns(names, List.of(lines.get(i + 1).split(separator, -1)));
            }
        }
        throw new IOException("no column '" + name + "' was printed");
    }

    /** The value below the first name that ends so. */
    double value(String ending) throws IOException {
        for (int i = 0; i < Math.min(names.size(), values.size()); i++) {
            if (names.get(i).endsWith(ending)) {
                try {
                    return Double.parseDouble(values.get(i));
                } catch (NumberFormatException e) {
                    throw new IOException("'" + values.get(i) + "' is no number", e);
                }
            }
        }
        throw new IOException("no column '" + ending + "' was printed");
    }
}
