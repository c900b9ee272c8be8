package io.metaroce.tools.lab;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Series that grow while an experiment runs. */
final class SeriesLog {
    private final Map<String, List<Double>> places = new LinkedHashMap<>();
    private final Map<String, List<Double>> values = new LinkedHashMap<>();

    /** One more point of the series with this name. */
    void add(String name, double x, double y) {
        places.computeIfAbsent(name, n -> new ArrayList<>()).add(x);
        values.computeIfAbsent(name, n -> new ArrayList<>()).add(y);
    }

    /** A whole series besides. */
    void add(Series whole) {
        places.put(whole.name(), whole.x());
        values.put(whole.name(), whole.y());
    }

    List<Series> all() {
        List<Series> all = new ArrayList<>();
        places.forEach((name, x) -> all.add(new Series(name, x, values.getOrDefault(name, List.of()))));
        return all;
    }
}
