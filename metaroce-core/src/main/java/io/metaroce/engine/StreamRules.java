package io.metaroce.engine;

import io.metaroce.param.EndpointConfig;
import java.util.BitSet;
import java.util.List;

/** What a caller may bind: every stream once, and none beyond the setting. Checked before anything is made. */
final class StreamRules {
    private StreamRules() {}

    static void check(EndpointConfig config, List<StreamBinding> bindings) {
        int limit = config.connection().streams();
        BitSet seen = new BitSet(limit);
        for (StreamBinding binding : bindings) {
            int id = binding.streamId();
            if (id < 0 || id >= limit) {
                throw new IllegalArgumentException("stream " + id + " is asked for, a connection has streams 0 to "
                        + (limit - 1) + "; change the setting connection.streams");
            }
            if (seen.get(id)) {
                throw new IllegalArgumentException("stream " + id + " is bound twice");
            }
            seen.set(id);
        }
    }
}
