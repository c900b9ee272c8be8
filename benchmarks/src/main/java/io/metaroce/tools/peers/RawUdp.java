package io.metaroce.tools.peers;

import io.metaroce.tools.BareEcho;
import io.metaroce.tools.BarePing;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.socket.DatagramPacket;
import io.netty.channel.unix.SegmentedDatagramPacket;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;

/**
 * The floor: UDP with segmentation and coalescing and nothing else. A count comes back for what arrives, so that no
 * more is under way than the receive buffer holds; what is lost stays lost.
 */
final class RawUdp implements Peer {
    private static final int HEADER_BYTES = 64; // what a protocol would need; not counted as payload
    private static final int RUN_BYTES_MAX = 65_000;
    private static final int RUN_PACKETS_MAX = 128;
    private static final int WINDOW_BYTES = 2 << 20;
    private static final int BUFFER_BYTES = 4 << 20;
    private static final long STALL_MS = 5;
    private static final int PINGS_PER_SECOND = 5_000;

    private final int payloadBytes;

    RawUdp(int payloadBytes) {
        this.payloadBytes = payloadBytes;
    }

    @Override
    public String name() {
        return "raw-udp";
    }

    @Override
    public String about() {
        return "UDP by Netty epoll with segmentation and coalescing, " + payloadBytes + " B of payload; blocking echo";
    }

    @Override
    public boolean repairs() {
        return false;
    }

    @Override
    public Receiver serve(String host) throws IOException {
        return new Counting(host, payloadBytes);
    }

    @Override
    public Sender connect(String host, String remote) {
        return new Blasting(host, remote, payloadBytes);
    }

    private static EpollDatagramChannel bind(
            EventLoopGroup loop, String host, SimpleChannelInboundHandler<DatagramPacket> handler) {
        return (EpollDatagramChannel) new Bootstrap()
                .group(loop)
                .channel(EpollDatagramChannel.class)
                .option(EpollChannelOption.SO_RCVBUF, BUFFER_BYTES)
                .option(EpollChannelOption.SO_SNDBUF, BUFFER_BYTES)
                .option(EpollChannelOption.UDP_GRO, true)
                .option(EpollChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(1 << 16))
                .handler(handler)
                .bind(host, 0)
                .syncUninterruptibly()
                .channel();
    }

    private static EventLoopGroup loop() {
        return new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
    }

    private static String text(EpollDatagramChannel channel) {
        return channel.localAddress().getAddress().getHostAddress() + ":"
                + channel.localAddress().getPort();
    }

    /** Counts what arrives and tells the sender after each turn of its loop. */
    private static final class Counting extends SimpleChannelInboundHandler<DatagramPacket> implements Receiver {
        private final EventLoopGroup loop = loop();
        private final EpollDatagramChannel channel;
        private final BareEcho echo;
        private final int bulkBytes;
        private final int payload;
        private final AtomicLong counted = new AtomicLong();
        private long allBytes;
        private InetSocketAddress sender = new InetSocketAddress(0);

        Counting(String host, int payload) throws IOException {
            this.payload = payload;
            bulkBytes = payload + HEADER_BYTES;
            channel = bind(loop, host, this);
            echo = BareEcho.start(host);
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, DatagramPacket packet) {
            int length = packet.content().readableBytes();
            allBytes += length;
            sender = packet.sender();
            counted.lazySet(counted.get() + (length == bulkBytes ? payload : SMALL_BYTES));
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            ByteBuf count = context.alloc().directBuffer(Long.BYTES).writeLong(allBytes);
            ChannelFuture unused = context.writeAndFlush(new DatagramPacket(count, sender));
        }

        @Override
        public String address() {
            try {
                return text(channel) + " " + echo.port();
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public long bytes() {
            return counted.get();
        }

        @Override
        public void close() {
            var unusedClose = channel.close().syncUninterruptibly();
            var unused = loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        }
    }

    /** Sends a run whenever the count leaves room. */
    private static final class Blasting extends SimpleChannelInboundHandler<DatagramPacket> implements Sender {
        private final EventLoopGroup loop = loop();
        private final EpollDatagramChannel channel;
        private final InetSocketAddress remote;
        private final String echo;
        private final int payload;
        private final ByteBuf bytes = Unpooled.directBuffer(RUN_BYTES_MAX).writeZero(RUN_BYTES_MAX);
        private CountDownLatch over = new CountDownLatch(0);
        private int segment;
        private int run;
        private long sentBytes;
        private long heardBytes; // of the receiver's count
        private long lostBytes; // given up, so that sending goes on
        private long endNs;
        private long heardNs;

        Blasting(String host, String remote, int payload) {
            this.payload = payload;
            String[] parts = remote.split("[ :]", -1);
            this.remote = new InetSocketAddress(parts[0], Integer.parseInt(parts[1]));
            this.echo = parts[0] + ":" + parts[2];
            channel = bind(loop, host, this);
            var unused = channel.eventLoop().scheduleAtFixedRate(this::tick, STALL_MS, STALL_MS, TimeUnit.MILLISECONDS);
        }

        @Override
        public void bulk(Duration time) throws IOException {
            blast(time, payload + HEADER_BYTES);
        }

        @Override
        public void small(Duration time) throws IOException {
            blast(time, SMALL_BYTES + HEADER_BYTES);
        }

        @Override
        public Histogram pingPong(Duration time) throws IOException {
            int rounds = (int) Math.max(1, PINGS_PER_SECOND * time.toMillis() / 1000);
            return BarePing.halfRoundTrips(echo, SMALL_BYTES, rounds);
        }

        private void blast(Duration time, int packetBytes) throws IOException {
            CountDownLatch latch = new CountDownLatch(1);
            channel.eventLoop().execute(() -> {
                over = latch;
                segment = packetBytes;
                run = Math.min(RUN_BYTES_MAX / packetBytes, RUN_PACKETS_MAX) * packetBytes;
                heardNs = System.nanoTime();
                endNs = heardNs + time.toNanos();
                fill();
            });
            try {
                if (!latch.await(time.toMillis() + 10_000, TimeUnit.MILLISECONDS)) {
                    throw new IOException("the loop stands still");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
            }
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, DatagramPacket packet) {
            heardBytes = Math.max(heardBytes, packet.content().readLong());
            heardNs = System.nanoTime();
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            fill();
        }

        private void fill() {
            if (over.getCount() == 0) {
                return;
            }
            if (System.nanoTime() >= endNs) {
                over.countDown();
                return;
            }
            while (sentBytes - heardBytes - lostBytes < WINDOW_BYTES) {
                sentBytes += run;
                ChannelFuture unused = channel.write(
                        new SegmentedDatagramPacket(bytes.retainedSlice(0, run), segment, remote),
                        channel.voidPromise());
            }
            channel.flush();
        }

        private void tick() {
            if (System.nanoTime() - heardNs > TimeUnit.MILLISECONDS.toNanos(STALL_MS)) {
                lostBytes = sentBytes - heardBytes;
            }
            fill();
        }

        @Override
        public void close() {
            var unusedClose = channel.close().syncUninterruptibly();
            var unused = loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        }
    }
}
