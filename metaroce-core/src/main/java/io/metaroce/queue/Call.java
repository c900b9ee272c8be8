package io.metaroce.queue;

/**
 * Has something done on the endpoint's thread, once for however many calls came since the last time: a doorbell without
 * a ring. What it does may ring others, and they are answered in the same pass.
 */
public final class Call {
    private final Bell bell;

    /**
     * Takes a place at the doorbells. Endpoint thread.
     *
     * @throws IllegalStateException when the endpoint serves as many rings as it can
     */
    public Call(DoorbellQueue doorbells, Rung owner) {
        bell = new Bell(doorbells);
        bell.owner(owner);
    }

    /** Asks for it. Any thread, after what is to be found was published. */
    public void ring() {
        bell.ring();
    }

    /** Gives the place back; nothing is done any more. Endpoint thread. */
    public void retire() {
        bell.retire();
    }
}
