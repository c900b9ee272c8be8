package io.metaroce.verbs;

import io.metaroce.datagram.Address;
import io.metaroce.param.EndpointConfig;

/**
 * What a device can do. Limits that come from the endpoint's settings name them.
 *
 * @param address where it receives, on its first plane
 * @param connectionsMax connections at once (setting {@code limits.connections})
 * @param streamsMax streams of one connection (setting {@code connection.streams})
 * @param regionsMax memory regions at once (setting {@code limits.regions})
 * @param messageBytesMax longest message it accepts (setting {@code connection.messageBytesMax})
 * @param payloadBytes payload of a full packet, if the peer wishes no less (setting {@code connection.payloadBytes})
 * @param orderedWritesMax ordered writes of a peer it keeps at once, over all streams (setting
 *     {@code connection.orderedWrites}); 0: neither side of a connection sends any
 * @param pathsMax paths of a connection (setting {@code path.paths})
 * @param queueDepthMax deepest send, receive and completion queue
 * @param sgeMax pieces of one work request
 * @param inlineBytesMax payload that may be copied at post time
 * @param privateDataBytesMax bytes an application may say along with a handshake
 */
public record DeviceAttributes(
        Address address,
        int connectionsMax,
        int streamsMax,
        int regionsMax,
        long messageBytesMax,
        int payloadBytes,
        int orderedWritesMax,
        int pathsMax,
        int queueDepthMax,
        int sgeMax,
        int inlineBytesMax,
        int privateDataBytesMax) {
    private static final int QUEUE_DEPTH_MAX = 1 << 20;
    private static final int SGE_MAX = 256;
    private static final int INLINE_BYTES_MAX = 1 << 16;
    private static final int PRIVATE_DATA_BYTES_MAX = 224;

    static DeviceAttributes of(Address address, EndpointConfig config) {
        return new DeviceAttributes(
                address,
                config.limits().connections(),
                config.connection().streams(),
                config.limits().regions(),
                config.connection().messageBytesMax(),
                config.connection().payloadBytes(),
                config.connection().orderedWrites(),
                config.path().paths(),
                QUEUE_DEPTH_MAX,
                SGE_MAX,
                INLINE_BYTES_MAX,
                PRIVATE_DATA_BYTES_MAX);
    }
}
