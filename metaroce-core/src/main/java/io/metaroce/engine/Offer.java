package io.metaroce.engine;

import io.metaroce.datagram.Address;
import java.util.List;

/**
 * A peer's wish to connect.
 *
 * @param serviceId the service it asks for
 * @param from the address it advertises on its first plane
 * @param streamIds the streams it wants to open at once
 * @param privateData what its application said, at most 224 bytes
 */
@SuppressWarnings("ArrayRecordComponent") // handed over, never kept or compared
public record Offer(int serviceId, Address from, List<Integer> streamIds, byte[] privateData) {}
