package io.metaroce.bench.memory;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Bytes of all objects of the engine that can be reached from one, by the layout of a 64-bit virtual machine with
 * compressed references: 12 bytes of header, 16 for an array, 4 a reference, rounded up to 8. It is counted, not
 * measured, so it is the same in every run.
 *
 * <p>What an application brings along is not counted: queues, cells, regions, buffers, listeners.
 */
final class Footprint {
    private static final int HEADER = 12;
    private static final int ARRAY_HEADER = 16;
    private static final int REFERENCE = 4;
    private static final List<String> OF_THE_APPLICATION =
            List.of("io.metaroce.queue.", "io.metaroce.memory.", "io.metaroce.bench.", "java.nio.", "sun.nio.");
    private static final ClassValue<Layout> LAYOUTS = new ClassValue<>() {
        @Override
        protected Layout computeValue(Class<?> type) {
            return Layout.of(type);
        }
    };

    private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Deque<Object> left = new ArrayDeque<>();
    private final Map<String, long[]> byPlace = new TreeMap<>();
    private long bytes;

    /** What all objects of a class have in common; asked for once a class, because reflection takes its time. */
    private record Layout(boolean isCounted, String name, long bytes, List<Field> references) {
        static Layout of(Class<?> type) {
            long bytes = HEADER;
            List<Field> references = new ArrayList<>();
            for (Class<?> c = type; c != null; c = c.getSuperclass()) {
                for (Field field : c.getDeclaredFields()) {
                    if (!Modifier.isStatic(field.getModifiers())) {
                        bytes += width(field.getType());
                        if (!field.getType().isPrimitive() && !isOfTheMachine(c)) {
                            field.setAccessible(true);
                            references.add(field);
                        }
                    }
                }
            }
            boolean isCounted = OF_THE_APPLICATION.stream().noneMatch(type.getName()::startsWith);
            String simple = type.getSimpleName();
            String name = type.isHidden() ? simple.replaceAll("/.*|\\d+", "") : simple;
            return new Layout(isCounted, name, rounded(bytes), references);
        }
    }

    private Footprint() {}

    /** What can be reached from {@code root}. */
    static Footprint of(Object root) {
        Footprint footprint = new Footprint();
        footprint.add(root, root.getClass().getSimpleName());
        while (!footprint.left.isEmpty()) {
            footprint.follow(footprint.left.pop());
        }
        return footprint;
    }

    /** All bytes. */
    long bytes() {
        return bytes;
    }

    /** How many objects of a class there are. */
    long count(String simpleName) {
        return byPlace.getOrDefault(simpleName, new long[2])[1];
    }

    /** What takes more here than in {@code other}, each divided by {@code parts}, largest first. */
    String growthOver(Footprint other, int parts) {
        List<String> lines = new ArrayList<>();
        byPlace.forEach((place, now) -> {
            long[] before = other.byPlace.getOrDefault(place, new long[2]);
            long more = (now[0] - before[0]) / parts;
            if (more > 0) {
                lines.add(String.format("%8d bytes in %5d of %s", more, (now[1] - before[1]) / parts, place));
            }
        });
        lines.sort(Collections.reverseOrder());
        return String.join("\n", lines);
    }

    private void add(Object object, String place) {
        boolean isShared = object instanceof Class || object instanceof Enum;
        if (isShared || !LAYOUTS.get(object.getClass()).isCounted() || !seen.add(object)) {
            return;
        }
        long size = sizeOf(object);
        bytes += size;
        long[] entry = byPlace.computeIfAbsent(place, p -> new long[2]);
        entry[0] += size;
        entry[1]++;
        left.push(object);
    }

    private void follow(Object object) {
        Class<?> type = object.getClass();
        if (object instanceof Object[] array) {
            for (Object element : array) {
                if (element != null) {
                    add(element, element.getClass().getSimpleName());
                }
            }
        } else if (object instanceof Collection<?> collection) {
            collection.forEach(element -> add(element, element.getClass().getSimpleName()));
        } else if (object instanceof Map<?, ?> map) {
            map.keySet().forEach(key -> add(key, key.getClass().getSimpleName()));
            map.values().forEach(value -> add(value, value.getClass().getSimpleName()));
        } else if (!type.isArray() && !isOfTheMachine(type)) {
            for (Field field : LAYOUTS.get(type).references()) {
                Object value = read(field, object);
                if (value != null) {
                    boolean isArray = value.getClass().isArray();
                    add(
                            value,
                            isArray
                                    ? type.getSimpleName() + "." + field.getName()
                                    : LAYOUTS.get(value.getClass()).name());
                }
            }
        }
    }

    private static long sizeOf(Object object) {
        Class<?> type = object.getClass();
        if (type.isArray()) {
            return rounded(ARRAY_HEADER + (long) Array.getLength(object) * width(type.getComponentType()));
        }
        if (object instanceof Collection<?> collection) {
            return rounded(2L * HEADER + ARRAY_HEADER + (long) REFERENCE * collection.size());
        }
        return LAYOUTS.get(type).bytes();
    }

    private static long rounded(long size) {
        return (size + 7) & -8L;
    }

    private static int width(Class<?> type) {
        if (type == long.class || type == double.class) {
            return 8;
        }
        if (type == int.class || type == float.class || !type.isPrimitive()) {
            return REFERENCE;
        }
        return type == short.class || type == char.class ? 2 : 1;
    }

    private static boolean isOfTheMachine(Class<?> type) {
        return !type.getName().startsWith("io.metaroce.");
    }

    private static @Nullable Object read(Field field, Object object) {
        try {
            return field.get(object);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }
}
