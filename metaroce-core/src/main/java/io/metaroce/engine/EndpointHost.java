package io.metaroce.engine;

import io.metaroce.datagram.Address;
import io.metaroce.param.EndpointConfig;
import io.metaroce.queue.CommandQueue;
import io.metaroce.queue.DoorbellQueue;
import io.metaroce.trace.Counters;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * An endpoint in its surroundings: sockets and an event loop, or a host of the simulator. What applications build on.
 *
 * <p>Thread rule: any thread, unless said otherwise.
 */
public interface EndpointHost extends AutoCloseable {
    /** Commands for the endpoint's thread; after offering one, {@link DoorbellQueue#wake()}. */
    CommandQueue<Endpoint> commands();

    /** The doorbells of this endpoint's work queues. */
    DoorbellQueue doorbells();

    /** The settings the endpoint was made with. */
    EndpointConfig config();

    /** The endpoint's counters, readable at any time. */
    Counters counters();

    /** The address the endpoint receives at on its first plane. */
    Address localAddress();

    /**
     * Turns text ({@code host}, {@code host:port}, {@code [v6]:port}) into an address; without a port the default port.
     *
     * @throws IllegalArgumentException when the text is not an address or the name is unknown; the message says which
     */
    Address resolve(String text);

    /**
     * Waits until {@code done} says true: parks the calling thread over real sockets, steps the world in the simulator.
     *
     * @param timeoutNs longest wait in ns
     * @return whether {@code done} said true in time
     */
    boolean await(BooleanSupplier done, long timeoutNs);

    /** Wakes every thread that waits in {@link #await} so that it looks again. Endpoint thread. */
    void signal();

    /**
     * Asks the network, not the peer's endpoint, why nothing answers at {@code remote}. May take up to
     * {@code timeoutNs}.
     *
     * @return a sentence such as "port unreachable: no socket is bound there", or null when nothing is known
     */
    @Nullable
    String diagnose(Address remote, long timeoutNs);

    /**
     * Lets somebody see every packet from now on, and look at the endpoint; null ends that. Any thread; waits.
     *
     * @throws UnsupportedOperationException when this host lets nobody look
     */
    default void tap(@Nullable PacketTap tap) {
        throw new UnsupportedOperationException(this + " lets nobody look at its packets");
    }

    /** The address that packets of a plane and entropy leave from. Endpoint thread. */
    default Address sourceAddress(int plane, int entropy) {
        return localAddress();
    }

    /** The wall-clock time, in ns since 1970, that the endpoint's time counts from; 0 in virtual time. Any thread. */
    default long epochNs() {
        return 0;
    }

    /** Closes every connection at once and lets go of sockets and threads. Idempotent. */
    @Override
    void close();
}
