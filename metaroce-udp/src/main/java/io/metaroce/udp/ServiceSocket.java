package io.metaroce.udp;

import io.metaroce.datagram.Address;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.DatagramChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/**
 * The one advertised address of a plane: receives everything that is sent to the endpoint on it, and sends reports and
 * handshakes.
 */
final class ServiceSocket {
    private final DatagramChannel channel;
    private final int receiveBufferBytes;

    private ServiceSocket(DatagramChannel channel, int receiveBufferBytes) {
        this.channel = channel;
        this.receiveBufferBytes = receiveBufferBytes;
    }

    /** Binds without reading yet; see {@link #start}. */
    static ServiceSocket bind(UdpSockets sockets, InetSocketAddress local, UdpConfig config) {
        DatagramChannel channel = sockets.create(local.getAddress());
        UdpSockets.dress(channel, local.getAddress(), config.controlDscp());
        channel.config().setSendBufferSize(config.sendBufferBytes());
        int granted = SocketBuffers.askReceiveBuffer(channel, config.receiveBufferBytes());
        sockets.bind(channel, local);
        return new ServiceSocket(channel, granted);
    }

    /** Begins to read. Event loop. */
    void start(ChannelInboundHandlerAdapter handler, Capabilities.Ability coalescing) {
        UdpSockets.reading(channel, coalescing);
        channel.pipeline().addLast(handler);
        channel.config().setAutoRead(true);
    }

    DatagramChannel channel() {
        return channel;
    }

    InetAddress local() {
        return channel.localAddress().getAddress();
    }

    /** The address peers are told. */
    Address address() {
        return SocketAddresses.toAddress(channel.localAddress());
    }

    /** Granted by the kernel, in bytes. */
    int receiveBufferBytes() {
        return receiveBufferBytes;
    }

    void close() {
        UdpSockets.close(channel);
    }
}
