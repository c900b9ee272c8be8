package io.metaroce.observe;

import java.util.List;
import java.util.SortedMap;

/** An endpoint in JMX. Counters are read without disturbing it; connections and paths are asked of its thread. */
public interface EndpointMXBean {
    /** Where it receives, on its first plane. */
    String getAddress();

    /** Every counter by its name. */
    SortedMap<String, Long> getCounters();

    /** Packets dropped on arrival, by the name of the reason; reasons that never struck are left out. */
    SortedMap<String, Long> getDrops();

    /** Established connections. */
    List<ConnectionRow> getConnections();

    /** The paths of all established connections. */
    List<PathRow> getPaths();
}
