package io.metaroce.verbs;

/** Who wants to hear of asynchronous events as they happen. */
@FunctionalInterface
public interface AsyncEventListener {
    /**
     * Something happened. Runs on the endpoint's thread: be short, post and poll if you like, but do not call anything
     * that waits (create, register, connect, close): such calls are refused here.
     */
    void onEvent(AsyncEvent event);
}
