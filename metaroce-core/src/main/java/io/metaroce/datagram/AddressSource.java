package io.metaroce.datagram;

/** Says on demand where a datagram came from; asked only for the few packets that are answered to their source. */
public interface AddressSource {
    /** The observed source of the datagram that is being delivered. */
    Address address();
}
