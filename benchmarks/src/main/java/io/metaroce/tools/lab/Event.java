package io.metaroce.tools.lab;

import java.util.List;

/**
 * Something that happens to the fabric while traffic runs.
 *
 * @param atNs when, counted from the first message
 * @param what a statement of a fault script without its time, such as {@code plane 1 down}
 */
public record Event(long atNs, String what) {
    /** The statements as a script, when traffic began at {@code startPs}. */
    static String script(List<Event> events, long startPs) {
        StringBuilder out = new StringBuilder();
        for (Event event : events) {
            out.append("at ")
                    .append(startPs + event.atNs() * 1_000)
                    .append("ps ")
                    .append(event.what())
                    .append('\n');
        }
        return out.toString();
    }
}
