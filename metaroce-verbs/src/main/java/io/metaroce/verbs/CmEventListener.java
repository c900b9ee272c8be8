package io.metaroce.verbs;

import org.jspecify.annotations.Nullable;

/** Hears what happens to connections. Called on the endpoint's thread: it must be quick and must not wait. */
@FunctionalInterface
public interface CmEventListener {
    /**
     * Something happened.
     *
     * @param event what, in the words of librdmacm
     * @param connection to which; null for {@link CmEvent#CONNECT_REQUEST}, which has none yet
     * @param detail one sentence with the numbers that matter; empty when there is nothing to add
     */
    void onEvent(CmEvent event, @Nullable Connection connection, String detail);
}
