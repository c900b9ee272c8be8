package io.metaroce.udp;

import io.metaroce.datagram.Address;
import io.metaroce.datagram.Ecn;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.socket.DatagramChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The one advertised address of a plane: receives everything that is sent to the endpoint on it, and sends reports and
 * handshakes. Where congestion marks are read it is a group of sockets, one for each codepoint, of which the first one
 * sends; see {@link Steering}.
 */
final class ServiceSocket {
    private static final Ecn[] CODEPOINTS = {Ecn.NOT_ECT, Ecn.ECT_1, Ecn.ECT_0, Ecn.CE};

    private final List<DatagramChannel> members = new ArrayList<>();
    private final List<@Nullable ReadBuffer> buffers = new ArrayList<>(); // of members that may be read
    private final UdpConfig config;
    private final InetSocketAddress advertised;
    private final int receiveBufferBytes;

    private ServiceSocket(
            DatagramChannel channel, UdpConfig config, InetSocketAddress advertised, int receiveBufferBytes) {
        this.members.add(channel);
        this.config = config;
        this.advertised = advertised;
        this.receiveBufferBytes = receiveBufferBytes;
    }

    /** Binds without reading yet; see {@link #start}. The address is this endpoint's alone. */
    static ServiceSocket bind(UdpSockets sockets, InetSocketAddress local, UdpConfig config) {
        return open(sockets, local, null, config, Sharing.ALONE);
    }

    /**
     * The same for one more endpoint at the address of {@code first}, which is sorted among them: as one more member.
     */
    static ServiceSocket joining(UdpSockets sockets, ServiceSocket first, UdpConfig config) {
        return open(sockets, first.advertised, first, config, Sharing.TOGETHER);
    }

    /** The same where nothing is sorted: it sends from a port of its own, and packets are handed over to it. */
    static ServiceSocket sending(UdpSockets sockets, ServiceSocket first, UdpConfig config) {
        return open(sockets, new InetSocketAddress(first.local(), 0), first, config, Sharing.ALONE);
    }

    private enum Sharing {
        ALONE,
        TOGETHER
    }

    private static ServiceSocket open(
            UdpSockets sockets,
            InetSocketAddress local,
            @Nullable ServiceSocket first,
            UdpConfig config,
            Sharing sharing) {
        DatagramChannel channel = sockets.create(local.getAddress());
        UdpSockets.dress(channel, local.getAddress(), config.controlDscp());
        channel.config().setSendBufferSize(config.sendBufferBytes());
        int granted = SocketBuffers.askReceiveBuffer(channel, config.receiveBufferBytes());
        if (sharing == Sharing.TOGETHER) {
            channel.config().setOption(EpollChannelOption.SO_REUSEPORT, true);
        }
        sockets.bind(channel, local);
        return new ServiceSocket(channel, config, first == null ? channel.localAddress() : first.advertised, granted);
    }

    /**
     * Lets others have the address as well. It was bound alone and becomes shared only now, so that nobody who asks for
     * it alone can have it.
     */
    void share() {
        channel().config().setOption(EpollChannelOption.SO_REUSEPORT, true);
    }

    /** Makes this the next members of the group, as many as there are codepoints. */
    void widen(UdpSockets sockets) {
        while (members.size() < Steering.CODEPOINTS) {
            DatagramChannel member = sockets.create(local());
            member.config().setOption(EpollChannelOption.SO_REUSEPORT, true);
            int unused = SocketBuffers.askReceiveBuffer(member, config.receiveBufferBytes());
            sockets.bind(member, advertised);
            members.add(member);
        }
    }

    /** Makes this one socket again, which nobody shares. */
    void narrow() {
        while (members.size() > 1) {
            int last = members.size() - 1;
            UdpSockets.close(members.remove(last));
            if (buffers.size() > last) {
                buffers.remove(last);
            }
        }
        channel().config().setOption(EpollChannelOption.SO_REUSEPORT, false);
    }

    /** Sets how all sockets are read. Before the first of them is: a channel keeps the buffers it has begun with. */
    void prepare(Capabilities.Ability coalescing) {
        for (int i = buffers.size(); i < members.size(); i++) {
            buffers.add(UdpSockets.reading(members.get(i), coalescing));
        }
    }

    /**
     * Begins to read, as was prepared. Event loop.
     *
     * @param handlers makes what takes the packets of a codepoint
     * @param queues hears of every socket where there are several, else null
     */
    void start(Function<Ecn, ChannelInboundHandlerAdapter> handlers, @Nullable ReceiveQueues queues) {
        for (int i = 0; i < members.size(); i++) {
            DatagramChannel member = members.get(i);
            ReadBuffer buffer = buffers.get(i);
            if (queues != null && buffer != null) {
                queues.add(buffer);
            }
            member.pipeline().addLast(handlers.apply(members.size() == 1 ? Ecn.UNKNOWN : CODEPOINTS[i]));
            member.config().setAutoRead(true);
        }
    }

    /** The socket that sends. */
    DatagramChannel channel() {
        return members.get(0);
    }

    /** All sockets, in the order of codepoints where there are several. */
    List<DatagramChannel> members() {
        return members;
    }

    InetAddress local() {
        return advertised.getAddress();
    }

    /** The address peers are told. */
    Address address() {
        return SocketAddresses.toAddress(advertised);
    }

    /** The same for sockets. */
    InetSocketAddress advertised() {
        return advertised;
    }

    /** Granted by the kernel to each socket, in bytes; the packets of a path are usually all in one. */
    int receiveBufferBytes() {
        return receiveBufferBytes;
    }

    void close() {
        members.forEach(UdpSockets::close);
    }
}
