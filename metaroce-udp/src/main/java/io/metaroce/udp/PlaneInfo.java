package io.metaroce.udp;

import io.metaroce.datagram.Address;
import java.util.OptionalInt;

/**
 * One plane of an endpoint as its machine sees it.
 *
 * @param address where it receives; told to peers
 * @param interfaceName network interface that has the address
 * @param mtuBytes largest IP packet of the interface, when it tells
 * @param lineRateBytesPerSecond speed of the interface; an assumption where it tells none
 * @param receiveBufferBytes receive buffer granted by the kernel
 */
public record PlaneInfo(
        Address address,
        String interfaceName,
        OptionalInt mtuBytes,
        long lineRateBytesPerSecond,
        int receiveBufferBytes) {
    static PlaneInfo of(ServiceSocket socket) {
        return new PlaneInfo(
                socket.address(),
                LocalInterfaces.nameOf(socket.local()),
                LocalInterfaces.mtuBytes(socket.local()),
                LocalInterfaces.lineRateBytesPerSecond(socket.local()),
                socket.receiveBufferBytes());
    }
}
