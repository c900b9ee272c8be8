package io.metaroce.tools.stat;

import io.metaroce.observe.ConnectionRow;
import io.metaroce.observe.PathRow;
import java.util.List;
import java.util.SortedMap;

/**
 * One endpoint at one instant.
 *
 * @param address where it receives
 * @param timeNs when it was asked, in ns of any clock that does not jump
 * @param counters by name
 * @param drops by reason
 * @param connections established ones
 * @param paths of all connections
 */
public record Snapshot(
        String address,
        long timeNs,
        SortedMap<String, Long> counters,
        SortedMap<String, Long> drops,
        List<ConnectionRow> connections,
        List<PathRow> paths) {}
