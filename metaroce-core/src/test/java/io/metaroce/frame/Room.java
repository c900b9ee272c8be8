package io.metaroce.frame;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One room of the house and what it may import: the table of {@code docs/architecture.md}, and the only list of it.
 *
 * <p>Everybody may use {@code java.lang}, {@code java.util}, {@code java.nio} buffers and JSpecify annotations besides.
 *
 * @param name package below {@code io.metaroce}
 * @param rooms rooms it may import
 * @param onlyClasses for a room listed here only these classes (by simple name) may be imported
 * @param outside package prefixes, or classes, from outside that it may use
 */
record Room(String name, Set<String> rooms, Map<String, Set<String>> onlyClasses, List<String> outside) {
    static final Map<String, Room> CORE = core();
    static final Map<String, Room> OTHERS = others();

    /** What every room may use from outside. */
    static final List<String> FOR_ALL = List.of(
            "java.lang",
            "java.lang.annotation",
            "java.util",
            "java.util.function",
            "java.nio",
            "org.jspecify.annotations");

    private static Map<String, Room> core() {
        Map<String, Room> all = new LinkedHashMap<>();
        add(all, "num", "");
        add(all, "state", "", "java.lang.reflect.Array");
        add(all, "datagram", "");
        add(all, "trace", "", "java.lang.invoke");
        add(all, "param", "num");
        add(all, "wire", "num datagram trace", "java.util.zip");
        add(all, "memory", "num");
        add(all, "queue", "num", "org.jctools", "java.util.concurrent.atomic", "java.lang.invoke");
        add(all, "path", "num state trace param wire datagram");
        add(all, "rate", "num param");
        add(
                all,
                "connection",
                "num state trace param wire datagram path rate",
                "javax.crypto",
                "java.security",
                "java.nio.charset");
        Room message = add(all, "message", "num state trace param wire datagram memory queue connection");
        all.put(
                "message",
                new Room(
                        "message",
                        message.rooms(),
                        Map.of(
                                "connection",
                                Set.of("PacketSource", "PacketSink", "UpdateSource", "UpdateSink", "ConnectionPort")),
                        List.of()));
        add(
                all,
                "engine",
                "num state trace param wire datagram memory queue path rate connection message",
                "javax.crypto",
                "java.security",
                "java.nio.charset");
        add(all, "capture", "num trace datagram wire engine", "java.io", "java.nio.charset", "java.util.stream");
        add(
                all,
                "sim",
                "num trace param datagram wire memory queue engine capture",
                "java.io",
                "java.nio.file",
                "java.nio.charset",
                "java.math",
                "java.util.regex",
                "java.util.stream");
        return Map.copyOf(all);
    }

    private static Map<String, Room> others() {
        Map<String, Room> all = new LinkedHashMap<>();
        add(all, "udp", "num trace param datagram queue engine");
        add(all, "verbs", "num trace param datagram memory queue engine");
        String everything =
                "num trace param datagram wire memory queue engine capture sim udp verbs collective async channel observe";
        add(all, "collective", "num verbs");
        add(all, "async", "queue verbs");
        add(all, "channel", "verbs async");
        add(all, "observe", "trace engine verbs");
        Room examples = add(all, "examples", "queue udp verbs async channel");
        all.put("examples", new Room("examples", examples.rooms(), Map.of("queue", Set.of("WcStatus")), List.of()));
        add(all, "tools", everything + " bench examples");
        add(all, "bench", everything + " tools state path rate connection message");
        return Map.copyOf(all);
    }

    private static Room add(Map<String, Room> all, String name, String rooms, String... outside) {
        Room room = new Room(name, rooms.isEmpty() ? Set.of() : Set.of(rooms.split(" ")), Map.of(), List.of(outside));
        all.put(name, room);
        return room;
    }

    /** Whether this room may import a class of another room. */
    boolean mayImport(String otherRoom, String simpleName) {
        return otherRoom.equals(name)
                || (rooms.contains(otherRoom)
                        && onlyClasses
                                .getOrDefault(otherRoom, Set.of(simpleName))
                                .contains(simpleName));
    }

    /** Whether this room may use a class from outside. */
    boolean mayUse(String className, String packageName) {
        return FOR_ALL.contains(packageName)
                || outside.stream().anyMatch(allowed -> className.equals(allowed) || isWithin(packageName, allowed));
    }

    private static boolean isWithin(String packageName, String prefix) {
        return packageName.equals(prefix) || packageName.startsWith(prefix + ".");
    }
}
