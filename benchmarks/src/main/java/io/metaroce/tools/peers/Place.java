package io.metaroce.tools.peers;

import java.util.List;

/**
 * Where one side of a pair runs.
 *
 * @param prefix words in front of a command, as those that enter a namespace
 * @param host the address there
 * @param device name of the interface that has the address
 */
record Place(List<String> prefix, String host, String device) {
    /** This machine's loopback. */
    static final Place LOOPBACK = new Place(List.of(), "127.0.0.1", "lo");
}
