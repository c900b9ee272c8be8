package io.metaroce.tools.peers;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.unix.RawUnixChannelOption;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;

/** TCP of the kernel through Netty's epoll, with the congestion control that the kernel has chosen, or a named one. */
final class Tcp implements Peer {
    private static final int IPPROTO_TCP = 6;
    private static final int TCP_CONGESTION = 13; // include/uapi/linux/tcp.h
    private static final WriteBufferWaterMark MARKS = new WriteBufferWaterMark(512 * 1024, 1024 * 1024);
    private static final long GRACE_MS = 60_000;

    private final String chosen;

    /**
     * How TCP is used.
     *
     * @param chosen name of the congestion control of whoever sends, empty for that of the kernel
     */
    Tcp(String chosen) {
        this.chosen = chosen;
    }

    @Override
    public String name() {
        return chosen.isEmpty() ? "tcp" : "tcp-" + chosen;
    }

    @Override
    public String about() {
        return "TCP by Netty epoll, one connection, " + (chosen.isEmpty() ? congestionControl() : chosen)
                + ", TCP_NODELAY, pieces of 256 KiB; small messages written one by one";
    }

    /** Name of the congestion control that the kernel gives to new connections. */
    static String congestionControl() {
        try {
            return Files.readString(Path.of("/proc/sys/net/ipv4/tcp_congestion_control"))
                    .strip();
        } catch (IOException e) {
            return "congestion control unknown";
        }
    }

    @Override
    public Receiver serve(String host) {
        EventLoopGroup loop = loop();
        AtomicLong counted = new AtomicLong();
        Channel server = new ServerBootstrap()
                .group(loop)
                .channel(EpollServerSocketChannel.class)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline().addLast(new ByteStreams.FarEnd(counted));
                    }
                })
                .bind(host, 0)
                .syncUninterruptibly()
                .channel();
        InetSocketAddress local = (InetSocketAddress) server.localAddress();
        return new NettyReceiver(local.getAddress().getHostAddress() + ":" + local.getPort(), counted, server, loop);
    }

    @Override
    public Sender connect(String host, String remote) {
        return new Client(remote, chosen);
    }

    private static EventLoopGroup loop() {
        return new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
    }

    /** A connection for each stretch. */
    private static final class Client implements Sender {
        private final EventLoopGroup loop = loop();
        private final InetSocketAddress remote;
        private final String congestionControl;

        Client(String remote, String congestionControl) {
            this.congestionControl = congestionControl;
            int colon = remote.lastIndexOf(':');
            this.remote =
                    new InetSocketAddress(remote.substring(0, colon), Integer.parseInt(remote.substring(colon + 1)));
        }

        @Override
        public void bulk(Duration time) throws IOException {
            stream(time, false);
        }

        @Override
        public void small(Duration time) throws IOException {
            stream(time, true);
        }

        @Override
        public Histogram pingPong(Duration time) throws IOException {
            Histogram half = new Histogram(3);
            closed(open(new ByteStreams.Pinger(System.nanoTime() + time.toNanos(), half)), time);
            return half;
        }

        private void stream(Duration time, boolean small) throws IOException {
            closed(open(new ByteStreams.Source(small, System.nanoTime() + time.toNanos())), time);
        }

        private Channel open(ChannelHandler handler) throws IOException {
            var future = new Bootstrap()
                    .group(loop)
                    .channel(EpollSocketChannel.class)
                    .option(ChannelOption.TCP_NODELAY, true)
                    .option(ChannelOption.WRITE_BUFFER_WATER_MARK, MARKS)
                    .handler(new ChannelInitializer<>() {
                        @Override
                        protected void initChannel(Channel channel) {
                            channel.pipeline().addLast(handler, new ByteStreams.Shutter());
                        }
                    })
                    .connect(remote)
                    .awaitUninterruptibly();
            if (!future.isSuccess()) {
                throw new IOException(future.cause());
            }
            Channel channel = future.channel();
            if (!congestionControl.isEmpty()) {
                choose((EpollSocketChannel) channel);
            }
            return channel;
        }

        /** Fails where the kernel does not have it: another one must not run under its name. */
        private void choose(EpollSocketChannel channel) throws IOException {
            byte[] name = congestionControl.getBytes(StandardCharsets.US_ASCII);
            var option = new RawUnixChannelOption("TCP_CONGESTION", IPPROTO_TCP, TCP_CONGESTION, name.length);
            try {
                channel.config().setOption(option, ByteBuffer.wrap(name));
            } catch (ChannelException e) {
                var unused = channel.close();
                throw new IOException("this kernel has no congestion control named " + congestionControl, e);
            }
        }

        /** The far end closes when it has read everything. */
        private static void closed(Channel channel, Duration time) throws IOException {
            if (!channel.closeFuture().awaitUninterruptibly(time.toMillis() + GRACE_MS, TimeUnit.MILLISECONDS)) {
                var unused = channel.close();
                throw new IOException("the connection did not end");
            }
        }

        @Override
        public void close() {
            var unused = loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        }
    }
}
