package io.metaroce.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaroce.channel.MetaroceChannel;
import io.metaroce.param.Profiles;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.DefaultEventLoop;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.util.concurrent.Future;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Pipelines of Netty over queue pairs. */
@Timeout(60)
final class ChannelTest {
    private final DefaultEventLoop loop = new DefaultEventLoop();
    private VerbsWorld world;
    private MetaroceChannel client;
    private MetaroceChannel server;

    @BeforeEach
    void connect() throws Exception {
        world = new UdpWorld(VerbsContract.impatient(Profiles.udp()));
        Connected both = Connected.with(world);
        client = MetaroceChannel.over(both.client.qp(), 1024, 4);
        server = MetaroceChannel.over(both.server.qp(), 1024, 4);
    }

    @AfterEach
    void close() throws Exception {
        done(client.close());
        done(server.close());
        world.close();
        done(loop.shutdownGracefully(0, 1, TimeUnit.SECONDS));
    }

    /** Sends back whatever comes. */
    private static final class Echo extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ChannelFuture unused = context.write(message);
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            context.flush();
        }
    }

    /** Keeps what comes as text. */
    private static final class Keep extends ChannelInboundHandlerAdapter {
        final LinkedBlockingQueue<String> texts = new LinkedBlockingQueue<>();
        final CountDownLatch gone = new CountDownLatch(1);
        final AtomicInteger turns = new AtomicInteger();

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ByteBuf bytes = (ByteBuf) message;
            texts.add(bytes.toString(StandardCharsets.UTF_8));
            bytes.release();
        }

        @Override
        public void channelWritabilityChanged(ChannelHandlerContext context) {
            turns.incrementAndGet();
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            gone.countDown();
        }
    }

    private static void done(Future<?> future) throws InterruptedException {
        assertThat(future.await(10, TimeUnit.SECONDS) && future.isSuccess()).isTrue();
    }

    private static ByteBuf text(String text) {
        return Unpooled.copiedBuffer(text, StandardCharsets.UTF_8);
    }

    @Test
    void aPipelineEchoesMessagesInOrderAndWritabilityComesAndGoes() throws Exception {
        Keep keep = new Keep();
        client.pipeline().addLast(keep);
        server.pipeline().addLast(new Echo());
        client.config().setWriteBufferWaterMark(new WriteBufferWaterMark(1_000, 4_000));
        done(loop.register(server));
        done(loop.register(client));
        assertThat(client.isActive()).isTrue();
        assertThat(client.remoteAddress().toString()).startsWith("127.0.0.1:");
        for (int i = 0; i < 200; i++) {
            ChannelFuture unused = client.write(text("message " + i + " of many"));
        }
        done(loop.submit(() -> assertThat(client.isWritable()).isFalse()));
        client.flush();
        for (int i = 0; i < 200; i++) {
            assertThat(keep.texts.poll(10, TimeUnit.SECONDS)).isEqualTo("message " + i + " of many");
        }
        assertThat(client.isWritable()).isTrue();
        assertThat(keep.turns.get()).isGreaterThanOrEqualTo(2);
    }

    @Test
    void nothingIsReadAheadOfWhoReads() throws Exception {
        Keep keep = new Keep();
        server.pipeline().addLast(keep);
        server.config().setAutoRead(false);
        done(loop.register(server));
        done(loop.register(client));
        server.read();
        for (int i = 0; i < 40; i++) {
            ChannelFuture unused = client.writeAndFlush(text("m" + i));
        }
        assertThat(keep.texts.poll(10, TimeUnit.SECONDS)).isEqualTo("m0");
        while (keep.texts.size() < 39) {
            server.read();
            TimeUnit.MILLISECONDS.sleep(1);
        }
        assertThat(keep.texts).hasSize(39).contains("m39");
    }

    @Test
    void whatCannotBeSentIsSaid() throws Exception {
        done(loop.register(client));
        done(loop.register(server));
        assertThatThrownBy(() -> client.writeAndFlush("a text").sync()).hasMessageContaining("only ByteBuf");
        assertThatThrownBy(() -> client.writeAndFlush(Unpooled.wrappedBuffer(new byte[1025]))
                        .sync())
                .hasMessageContaining("1025 bytes, at most 1024");
        assertThatThrownBy(() -> client.connect(client.localAddress()).sync())
                .hasMessageContaining("connected already");
        QueuePair apart = world.client()
                .createProtectionDomain()
                .createQueuePair(QpInitAttributes.of(world.client().createCompletionQueue(16)));
        assertThatThrownBy(() -> MetaroceChannel.over(apart, 8, 8)).hasMessageContaining("is not connected");
    }

    @Test
    void aPeerThatClosesMakesTheChannelInactive() throws Exception {
        Keep keep = new Keep();
        client.pipeline().addLast(keep);
        done(loop.register(client));
        done(loop.register(server));
        done(server.close());
        assertThat(keep.gone.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(client.isOpen()).isFalse();
    }
}
