package io.metaroce.tools.lab;

import io.metaroce.sim.FaultPlan;
import io.metaroce.sim.FaultScript;
import java.util.List;

/**
 * Something that happens to the fabric while traffic runs.
 *
 * @param atNs when, counted from the first message
 * @param what a statement of a fault script without its time, such as {@code plane 1 down}; with {@code $sender} in
 *     place of a node it happens to every host that begins a flow
 */
public record Event(long atNs, String what) {
    private static final String SENDER = "$sender";

    /** These things as they happen to some traffic that begins now. */
    static FaultPlan plan(List<Event> events, Traffic traffic) {
        return FaultScript.parse(script(
                events,
                traffic.world().nowPs(),
                traffic.flows().stream()
                        .map(flow -> flow.from().name())
                        .distinct()
                        .toList()));
    }

    /** The statements as a script, when traffic of these senders began at {@code startPs}. */
    static String script(List<Event> events, long startPs, List<String> senders) {
        StringBuilder out = new StringBuilder();
        for (Event event : events) {
            String when = "at " + (startPs + event.atNs() * 1_000) + "ps ";
            if (event.what().contains(SENDER)) {
                senders.forEach(sender -> out.append(when)
                        .append(event.what().replace(SENDER, sender))
                        .append('\n'));
            } else {
                out.append(when).append(event.what()).append('\n');
            }
        }
        return out.toString();
    }
}
