package io.metaroce.connection;

import io.metaroce.datagram.Address;
import io.metaroce.num.Entropy;
import io.metaroce.param.EndpointConfig;
import io.metaroce.param.FirstNumbers;
import io.metaroce.path.ReceivePasses;
import io.metaroce.path.SlotSlab;
import io.metaroce.rate.FairShare;
import io.metaroce.trace.Counters;
import io.metaroce.trace.TransportEvents;
import java.util.List;

/**
 * What all connections of an endpoint have in common.
 *
 * @param config settings
 * @param planes where this endpoint receives, by plane
 * @param slab the packets in flight
 * @param fairShare who may send how fast to this endpoint
 * @param planeTable which of the planes work
 * @param seal closes every packet
 * @param scratch what connections use one after the other
 * @param entropy randomness, split for every purpose
 * @param counters what is counted
 * @param events what is told
 * @param first where counters begin
 * @param passes over the receive queues
 * @param pauses in which the endpoint stood still
 */
public record Shared(
        EndpointConfig config,
        List<Address> planes,
        SlotSlab slab,
        FairShare fairShare,
        PlaneTable planeTable,
        Seal seal,
        Scratch scratch,
        Entropy entropy,
        Counters counters,
        TransportEvents events,
        FirstNumbers first,
        ReceivePasses passes,
        Pauses pauses) {
    /** Randomness of one connection, to be split for every purpose. */
    Entropy entropyOf(int connectionId) {
        return entropy.split("connection", connectionId);
    }

    /** The same for a connection whose packets another seal closes. */
    Shared sealedBy(Seal value) {
        if (value == seal) {
            return this;
        }
        return new Shared(
                config,
                planes,
                slab,
                fairShare,
                planeTable,
                value,
                scratch,
                entropy,
                counters,
                events,
                first,
                passes,
                pauses);
    }
}
