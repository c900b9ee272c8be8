package io.metaroce.verbs;

/**
 * Takes results on the endpoint's own thread, see {@link CompletionQueue#deliverTo}.
 *
 * <p>It may post to any queue pair of the device: what it posts leaves in the same turn of the event loop. It must not
 * block or compute for long, since nothing is received meanwhile, and it must not wait for the endpoint.
 */
@FunctionalInterface
public interface CompletionHandler {
    /**
     * Results have come.
     *
     * @param results valid during the call, and reused
     * @param count how many of them, from index 0 on; at least 1
     */
    void completed(WorkCompletion[] results, int count);
}
