package io.metaroce.tools.lab;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/** Named whole numbers: everything an experiment is told. The unit is in the name. */
public final class Knobs {
    /** None at all. */
    public static final Knobs NONE = new Knobs(Map.of());

    private final Map<String, Long> values;

    /** These values. */
    public Knobs(Map<String, Long> values) {
        this.values = Collections.unmodifiableMap(new TreeMap<>(values));
    }

    /** These, and those of {@code more} in place of equal names. */
    public Knobs with(Knobs more) {
        Map<String, Long> all = new TreeMap<>(values);
        all.putAll(more.values);
        return new Knobs(all);
    }

    /** A value that must have been given. */
    public long get(String name) {
        Long value = values.get(name);
        if (value == null) {
            throw new IllegalArgumentException("the scenario does not say " + name + "; it says " + values);
        }
        return value;
    }

    /** A value, or another if none was given. */
    public long get(String name, long otherwise) {
        return values.getOrDefault(name, otherwise);
    }

    /** Whether a value above 0 was given. */
    public boolean isSet(String name) {
        return get(name, 0) > 0;
    }

    /** A value as int. */
    public int number(String name) {
        return Math.toIntExact(get(name));
    }

    /** A value as int, or another if none was given. */
    public int number(String name, int otherwise) {
        return Math.toIntExact(get(name, otherwise));
    }

    /** All of them, by name. */
    public Map<String, Long> all() {
        return values;
    }

    @Override
    public String toString() {
        return values.toString();
    }
}
