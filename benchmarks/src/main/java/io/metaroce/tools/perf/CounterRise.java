package io.metaroce.tools.perf;

import io.metaroce.trace.Counter;
import io.metaroce.trace.Counters;
import java.io.PrintWriter;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** By how much some counters rise during a test. */
final class CounterRise {
    private final Map<Counter, Long> before = new EnumMap<>(Counter.class);
    private @Nullable Counters counters;

    private CounterRise() {}

    /**
     * Counters by their names.
     *
     * @throws IllegalArgumentException when there is none of a name
     */
    static CounterRise of(List<String> names) {
        CounterRise rise = new CounterRise();
        for (String name : names) {
            rise.before.put(named(name), 0L);
        }
        return rise;
    }

    private static Counter named(String name) {
        for (Counter counter : Counter.values()) {
            if (counter.label().equals(name)) {
                return counter;
            }
        }
        throw new IllegalArgumentException("-W " + name + ": no counter has this name; docs/counters.md lists them");
    }

    void begin(Counters all) {
        counters = all;
        before.replaceAll((counter, unused) -> all.get(counter));
    }

    void print(PrintWriter out) {
        Counters now = counters;
        if (now != null) {
            before.forEach((counter, value) -> out.println(" " + counter.label() + ": " + (now.get(counter) - value)));
            out.flush();
        }
    }
}
