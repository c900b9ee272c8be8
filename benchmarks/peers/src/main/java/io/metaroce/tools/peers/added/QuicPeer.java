package io.metaroce.tools.peers.added;

import io.metaroce.tools.peers.ByteStreams;
import io.metaroce.tools.peers.NettyReceiver;
import io.metaroce.tools.peers.Peer;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.socket.ChannelInputShutdownReadComplete;
import io.netty.handler.codec.quic.EpollQuicUtils;
import io.netty.handler.codec.quic.InsecureQuicTokenHandler;
import io.netty.handler.codec.quic.QuicChannelOption;
import io.netty.handler.codec.quic.QuicCodecBuilder;
import io.netty.handler.codec.quic.QuicCongestionControlAlgorithm;
import io.netty.handler.codec.quic.QuicServerCodecBuilder;
import io.netty.handler.codec.quic.QuicSslContextBuilder;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicLong;

/** The QUIC of Netty: one connection, a stream for each stretch, datagrams of 8 KiB in segmented sends. */
final class QuicPeer implements Peer {
    static final String PROTOCOL = "peers";
    private static final int DATAGRAM_BYTES = 8192;
    static final int SEGMENTS_MAX = 7; // of one send of at most 64 KiB
    private static final int BUFFER_BYTES = 4 << 20;
    private static final long WINDOW_BYTES = 32 << 20;
    private static final long STREAMS_MAX = 1_000_000;

    private final String name;
    private final QuicCongestionControlAlgorithm congestionControl;

    QuicPeer(String name, QuicCongestionControlAlgorithm congestionControl) {
        this.name = name;
        this.congestionControl = congestionControl;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String about() {
        return "QUIC of Netty, " + congestionControl + ", datagrams of " + DATAGRAM_BYTES + " B, segmentation and"
                + " coalescing, windows of 32 MiB, encrypted";
    }

    @Override
    public Receiver serve(String host) throws IOException {
        EventLoopGroup loop = loop();
        AtomicLong counted = new AtomicLong();
        ChannelHandler codec = settings(new QuicServerCodecBuilder())
                .sslContext(QuicSslContextBuilder.forServer(QuicKeys.create(), null)
                        .applicationProtocols(PROTOCOL)
                        .build())
                .tokenHandler(InsecureQuicTokenHandler.INSTANCE)
                .option(
                        QuicChannelOption.SEGMENTED_DATAGRAM_PACKET_ALLOCATOR,
                        EpollQuicUtils.newSegmentedAllocator(SEGMENTS_MAX))
                .streamHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline().addLast(new ByteStreams.FarEnd(counted), new CloseAtEnd());
                    }
                })
                .build();
        Channel channel = bind(loop, host, codec);
        InetSocketAddress local = (InetSocketAddress) channel.localAddress();
        return new NettyReceiver(local.getAddress().getHostAddress() + ":" + local.getPort(), counted, channel, loop);
    }

    @Override
    public Sender connect(String host, String remote) throws IOException {
        return new QuicClient(this, host, remote);
    }

    static EventLoopGroup loop() {
        return new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
    }

    static Channel bind(EventLoopGroup loop, String host, ChannelHandler codec) {
        return new Bootstrap()
                .group(loop)
                .channel(EpollDatagramChannel.class)
                .option(ChannelOption.SO_RCVBUF, BUFFER_BYTES)
                .option(ChannelOption.SO_SNDBUF, BUFFER_BYTES)
                .option(EpollChannelOption.UDP_GRO, true)
                .option(EpollChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(1 << 16))
                .handler(codec)
                .bind(host, 0)
                .syncUninterruptibly()
                .channel();
    }

    /** What both sides have. */
    <B extends QuicCodecBuilder<B>> B settings(B builder) {
        return builder.congestionControlAlgorithm(congestionControl)
                .maxRecvUdpPayloadSize(DATAGRAM_BYTES)
                .maxSendUdpPayloadSize(DATAGRAM_BYTES)
                .initialMaxData(WINDOW_BYTES)
                .initialMaxStreamDataBidirectionalLocal(WINDOW_BYTES)
                .initialMaxStreamDataBidirectionalRemote(WINDOW_BYTES)
                .initialMaxStreamsBidirectional(STREAMS_MAX);
    }

    /** Closes a stream when the other side has said everything. */
    static final class CloseAtEnd extends ChannelInboundHandlerAdapter {
        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) {
            if (event instanceof ChannelInputShutdownReadComplete) {
                ChannelFuture unused = context.close();
            }
            context.fireUserEventTriggered(event);
        }
    }
}
