package io.metaroce.udp;

import io.metaroce.datagram.Address;
import io.metaroce.datagram.Ecn;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.socket.DatagramChannel;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The one advertised address of a plane: receives everything that is sent to the endpoint on it, and sends reports and
 * handshakes. Where congestion marks are read it is a group of sockets, one for each codepoint, of which the first one
 * sends; see {@link EcnSteering}.
 */
final class ServiceSocket {
    private static final Ecn[] CODEPOINTS = {Ecn.NOT_ECT, Ecn.ECT_1, Ecn.ECT_0, Ecn.CE};

    private final List<DatagramChannel> members = new ArrayList<>();
    private final List<@Nullable ReadBuffer> buffers = new ArrayList<>(); // of members that may be read
    private final UdpConfig config;
    private final int receiveBufferBytes;

    private ServiceSocket(DatagramChannel channel, UdpConfig config, int receiveBufferBytes) {
        this.members.add(channel);
        this.config = config;
        this.receiveBufferBytes = receiveBufferBytes;
    }

    /** Binds without reading yet; see {@link #start}. The address is this endpoint's alone. */
    static ServiceSocket bind(UdpSockets sockets, InetSocketAddress local, UdpConfig config) {
        DatagramChannel channel = sockets.create(local.getAddress());
        UdpSockets.dress(channel, local.getAddress(), config.controlDscp());
        channel.config().setSendBufferSize(config.sendBufferBytes());
        int granted = SocketBuffers.askReceiveBuffer(channel, config.receiveBufferBytes());
        sockets.bind(channel, local);
        return new ServiceSocket(channel, config, granted);
    }

    /**
     * Makes this a group that is sorted by codepoint; to be proved before it is relied on. The address was bound alone
     * and becomes shared only now, so that nobody who asks for it alone can have it as well.
     *
     * @return whether the system knows how
     * @throws BindFailedException when the members cannot be opened
     */
    boolean sort(UdpSockets sockets) {
        channel().config().setOption(EpollChannelOption.SO_REUSEPORT, true);
        while (members.size() < EcnSteering.CODEPOINTS) {
            DatagramChannel member = sockets.create(local());
            member.config().setOption(EpollChannelOption.SO_REUSEPORT, true);
            int unused = SocketBuffers.askReceiveBuffer(member, config.receiveBufferBytes());
            sockets.bind(member, channel().localAddress());
            members.add(member);
        }
        return EcnSteering.attach(channel(), local() instanceof Inet6Address, 1);
    }

    /** Makes this one socket again. */
    void unsort() {
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
        return channel().localAddress().getAddress();
    }

    /** The address peers are told. */
    Address address() {
        return SocketAddresses.toAddress(channel().localAddress());
    }

    /** Granted by the kernel to each socket, in bytes; the packets of a path are usually all in one. */
    int receiveBufferBytes() {
        return receiveBufferBytes;
    }

    void close() {
        members.forEach(UdpSockets::close);
    }
}
