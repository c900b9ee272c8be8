package io.metaroce.tools.peers.added;

import io.metaroce.tools.peers.ByteStreams;
import io.metaroce.tools.peers.Peer;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.handler.codec.quic.EpollQuicUtils;
import io.netty.handler.codec.quic.QuicChannel;
import io.netty.handler.codec.quic.QuicChannelOption;
import io.netty.handler.codec.quic.QuicClientCodecBuilder;
import io.netty.handler.codec.quic.QuicSslContextBuilder;
import io.netty.handler.codec.quic.QuicStreamChannel;
import io.netty.handler.codec.quic.QuicStreamType;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** The side that drives: one connection, a stream for each stretch. */
final class QuicClient implements Peer.Sender {
    private static final long PATIENCE_MS = 60_000;

    private final EventLoopGroup loop = QuicPeer.loop();
    private final QuicChannel connection;

    QuicClient(QuicPeer peer, String host, String remote) throws IOException {
        int colon = remote.lastIndexOf(':');
        ChannelHandler codec = peer.settings(new QuicClientCodecBuilder())
                .sslContext(QuicSslContextBuilder.forClient()
                        .trustManager(InsecureTrustManagerFactory.INSTANCE)
                        .applicationProtocols(QuicPeer.PROTOCOL)
                        .build())
                .build();
        connection = done(QuicChannel.newBootstrap(QuicPeer.bind(loop, host, codec))
                .option(
                        QuicChannelOption.SEGMENTED_DATAGRAM_PACKET_ALLOCATOR,
                        EpollQuicUtils.newSegmentedAllocator(QuicPeer.SEGMENTS_MAX))
                .handler(new ChannelInboundHandlerAdapter())
                .remoteAddress(new InetSocketAddress(
                        remote.substring(0, colon), Integer.parseInt(remote.substring(colon + 1))))
                .connect());
    }

    private static <T> T done(Future<T> future) throws IOException {
        if (!future.awaitUninterruptibly(PATIENCE_MS)) {
            throw new IOException("no answer within " + PATIENCE_MS / 1000 + " s");
        }
        if (!future.isSuccess()) {
            throw new IOException(future.cause());
        }
        return future.getNow();
    }

    @Override
    public void bulk(Duration time) throws IOException {
        stretch(new ByteStreams.Source(false, System.nanoTime() + time.toNanos()), time);
    }

    @Override
    public void small(Duration time) throws IOException {
        stretch(new ByteStreams.Source(true, System.nanoTime() + time.toNanos()), time);
    }

    @Override
    public Histogram pingPong(Duration time) throws IOException {
        Histogram half = new Histogram(3);
        stretch(new ByteStreams.Pinger(System.nanoTime() + time.toNanos(), half), time);
        return half;
    }

    /** The far end closes its side when it has read everything, and the stream is over. */
    private void stretch(ChannelHandler handler, Duration time) throws IOException {
        QuicStreamChannel stream =
                done(connection.createStream(QuicStreamType.BIDIRECTIONAL, new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline().addLast(handler, new ByteStreams.Shutter(), new QuicPeer.CloseAtEnd());
                    }
                }));
        if (!stream.closeFuture().awaitUninterruptibly(time.toMillis() + PATIENCE_MS, TimeUnit.MILLISECONDS)) {
            var unused = stream.close();
            throw new IOException("the stream did not end");
        }
    }

    @Override
    public void close() {
        var unusedClose = connection.close();
        var unused = loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }
}
