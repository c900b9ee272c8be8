package io.metaroce.udp;

import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelOption;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.unix.Errors.NativeIoException;
import io.netty.channel.unix.IntegerUnixChannelOption;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Opens UDP sockets on the event loop of an endpoint and sets what all of them need. */
final class UdpSockets {
    /** Receive buffer per read where the kernel may coalesce: it hands over up to 64 KiB at once. */
    private static final int COALESCED_READ_BYTES = 65_536;
    /** Longest datagram that is taken where it does not; the largest packet of the protocol is below 9 KiB. */
    private static final int DATAGRAM_BYTES_MAX = 10_240;
    /** Datagrams one system call reads where it does not coalesce. */
    private static final int DATAGRAMS_PER_CALL = 32;
    /**
     * Reads of one socket per pass. Packets of many connections come one by one also where the kernel may coalesce; a
     * pass that read fewer than it sends would never see the answers.
     */
    private static final int READS_PER_PASS = 256;
    /** Bytes of one socket per pass, about: as much as a pass sends. */
    private static final int READ_BYTES_PER_PASS = SendBatch.PASS_BYTES_MAX;

    private static final int EADDRINUSE = 98;
    private static final int EADDRNOTAVAIL = 99;
    private static final int EACCES = 13;
    private static final int ECT_0 = 2;
    private static final int CE = 3;
    private static final long TIMEOUT_S = 10;

    // IPPROTO_IP, IP_MTU_DISCOVER and IPPROTO_IPV6, IPV6_MTU_DISCOVER with ..._PMTUDISC_DO: never fragment.
    private static final IntegerUnixChannelOption MTU_DISCOVER_V4 =
            new IntegerUnixChannelOption("IP_MTU_DISCOVER", 0, 10);
    private static final IntegerUnixChannelOption MTU_DISCOVER_V6 =
            new IntegerUnixChannelOption("IPV6_MTU_DISCOVER", 41, 23);
    private static final int ALWAYS = 2;

    // Writable means: nothing is queued. So a socket that could not send everything shows at once.
    private static final WriteBufferWaterMark EMPTY_OR_NOT = new WriteBufferWaterMark(1, 1);

    private final EventLoops loops;

    UdpSockets(EventLoops loops) {
        this.loops = loops;
    }

    /**
     * A socket of the family of {@code local}, not yet bound and not reading.
     *
     * @throws BindFailedException when the process may open no more
     */
    DatagramChannel create(InetAddress local) {
        DatagramChannel channel;
        try {
            channel = loops.newChannel(local);
        } catch (ChannelException e) {
            String address = local.getHostAddress();
            throw new BindFailedException(
                    address, "cannot open a socket for " + address + ": " + root(e).getMessage(), new IOException(e));
        }
        channel.config().setAutoRead(false).setWriteBufferWaterMark(EMPTY_OR_NOT);
        channel.config().setRecvByteBufAllocator(new FixedRecvByteBufAllocator(DATAGRAM_BYTES_MAX));
        return channel;
    }

    /** What every packet of the protocol needs: ECT(0) with the DSCP, and no fragmentation where that can be set. */
    static void dress(DatagramChannel channel, InetAddress local, int dscp) {
        channel.config().setTrafficClass((dscp << 2) | ECT_0);
        if (channel instanceof EpollDatagramChannel) {
            IntegerUnixChannelOption option = local instanceof Inet6Address ? MTU_DISCOVER_V6 : MTU_DISCOVER_V4;
            boolean unused = channel.config().setOption(option, ALWAYS);
        }
    }

    /** Lets every packet leave with the mark of congestion. */
    static void mark(Channel channel, int dscp) {
        boolean unused = channel.config().setOption(ChannelOption.IP_TOS, (dscp << 2) | CE);
    }

    /**
     * Sets how the socket is read; answers with the buffer it is read into, or null where each datagram has its own.
     */
    static @Nullable ReadBuffer reading(DatagramChannel channel, Capabilities.Ability coalescing) {
        if (coalescing.isOn()) {
            // With UDP_GRO a read must be one recvmsg: recvmmsg would lose the segment size.
            channel.config().setOption(EpollChannelOption.UDP_GRO, true);
            channel.config().setOption(EpollChannelOption.MAX_DATAGRAM_PAYLOAD_SIZE, 0);
            return ReadBuffer.install(channel, COALESCED_READ_BYTES, READS_PER_PASS, READ_BYTES_PER_PASS);
        }
        if (channel instanceof EpollDatagramChannel) {
            channel.config().setOption(EpollChannelOption.MAX_DATAGRAM_PAYLOAD_SIZE, DATAGRAM_BYTES_MAX);
            int bytes = DATAGRAM_BYTES_MAX * DATAGRAMS_PER_CALL;
            return ReadBuffer.install(channel, bytes, READS_PER_PASS, READ_BYTES_PER_PASS);
        }
        // NIO gathers what it reads before it hands it over: one buffer each.
        channel.config()
                .setRecvByteBufAllocator(
                        new FixedRecvByteBufAllocator(DATAGRAM_BYTES_MAX).maxMessagesPerRead(READS_PER_PASS));
        return null;
    }

    /**
     * Registers and binds; on the event loop at once, elsewhere waiting for it.
     *
     * @throws BindFailedException when the system refuses the address; the channel is closed then
     */
    void bind(DatagramChannel channel, InetSocketAddress local, ChannelHandler... handlers) {
        channel.pipeline().addLast(handlers);
        try {
            complete(loops.loop().register(channel));
            complete(channel.bind(local));
        } catch (IOException e) {
            close(channel);
            String address = SocketAddresses.text(local.getAddress(), local.getPort());
            throw isError(e, EADDRINUSE, "already in use")
                    ? new PortTakenException(address, message(local, e), e)
                    : new BindFailedException(address, message(local, e), e);
        }
    }

    /** Closes a socket whether or not it was ever registered. */
    static void close(Channel channel) {
        if (channel.isRegistered()) {
            ChannelFuture unused = channel.close();
        } else {
            channel.unsafe().closeForcibly();
        }
    }

    private void complete(ChannelFuture future) throws IOException {
        boolean isDone =
                loops.loop().inEventLoop() ? future.isDone() : future.awaitUninterruptibly(TIMEOUT_S, TimeUnit.SECONDS);
        if (!isDone) {
            throw new IOException("the event loop did not answer within " + TIMEOUT_S + " s");
        }
        Throwable cause = future.cause();
        if (cause instanceof IOException e) {
            throw e;
        }
        if (cause != null) {
            throw new IOException(cause);
        }
    }

    private static String message(InetSocketAddress local, IOException cause) {
        String text = "cannot bind " + SocketAddresses.text(local.getAddress(), local.getPort()) + ": ";
        if (isError(cause, EADDRINUSE, "already in use")) {
            return text + "UDP port " + local.getPort()
                    + " is in use by another socket; give another port in the option bind, or port 0 for any free one";
        }
        if (isError(cause, EADDRNOTAVAIL, "requested address")) {
            return text + "no interface of this machine has the address; it has " + LocalInterfaces.list()
                    + "; give one of them in the option bind";
        }
        if (isError(cause, EACCES, "ermission denied")) {
            return text + "not permitted; ports below 1024 need privileges, give a higher one in the option bind";
        }
        return text + cause.getMessage();
    }

    private static Throwable root(Throwable cause) {
        Throwable root = cause;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }

    private static boolean isError(IOException cause, int error, String words) {
        return cause instanceof NativeIoException e
                ? Math.abs(e.expectedErr()) == error
                : String.valueOf(cause.getMessage()).contains(words);
    }
}
