package io.metaroce.examples;

import io.metaroce.channel.MetaroceChannel;
import io.metaroce.udp.UdpConfig;
import io.metaroce.udp.UdpEndpoint;
import io.metaroce.verbs.*;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Netty pipelines over queue pairs: a client says lines as fast as there is room, a server says them back louder. */
public final class NettyPipeline {
    private static final int SERVICE = 10;
    private static final int LINES = 100_000;
    private static final int MESSAGE_BYTES_MAX = 1_024;
    private static final int PLACES = 64; // messages under way at once, each way
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration WAIT_FOR_CLIENT = Duration.ofMinutes(10);

    private NettyPipeline() {}

    /** Both roles, or {@code server ADDRESS:PORT}, or {@code client ADDRESS:PORT}. */
    public static void main(String[] args) throws Exception {
        if (args.length == 0) {
            try (Device server = open("127.0.0.1:0")) {
                FutureTask<Integer> serving = new FutureTask<>(() -> serve(server));
                new Thread(serving, "server").start();
                talk(server.address().toString());
                int unused = serving.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            }
        } else if (args.length == 2 && args[0].equals("server")) {
            try (Device server = open(args[1])) {
                int unused = serve(server);
            }
        } else if (args.length == 2 && args[0].equals("client")) {
            talk(args[1]);
        } else {
            throw new IllegalArgumentException("give nothing, or server ADDRESS:PORT, or client ADDRESS:PORT");
        }
    }

    private static Device open(String address) {
        return Device.open(UdpEndpoint.bind(UdpConfig.on(address)));
    }

    private static QueuePair queuePair(Device device) {
        return device.createProtectionDomain()
                .createQueuePair(QpInitAttributes.of(device.createCompletionQueue(2 * PLACES))
                        .withSendDepth(PLACES)
                        .withReceiveDepth(PLACES));
    }

    /** Serves one client until it closes; returns how many lines it said. */
    private static int serve(Device device) throws Exception {
        QueuePair qp = queuePair(device);
        try (Listener listener = device.listen(SERVICE)) {
            System.out.println("listening " + device.address());
            listener.accept(WAIT_FOR_CLIENT).accept(qp);
        }
        EventLoop loop = new DefaultEventLoop();
        try {
            Echo echo = new Echo();
            MetaroceChannel channel = MetaroceChannel.over(qp, MESSAGE_BYTES_MAX, PLACES);
            channel.pipeline().addLast(new TextCodec(), echo);
            await(loop.register(channel), "registering");
            await(channel.closeFuture(), "the client's end");
            System.out.println(echo.lines + " lines said back");
            return echo.lines;
        } finally {
            Future<?> unused = loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        }
    }

    private static void talk(String address) throws Exception {
        EventLoop loop = new DefaultEventLoop();
        try (Device device = open("127.0.0.1:0")) {
            QueuePair qp = queuePair(device);
            Connection unused = device.connector()
                    .withRetries(RetryPolicy.patient(PATIENCE)) // the server may start later
                    .connect(address, SERVICE, qp);
            Talker talker = new Talker();
            MetaroceChannel channel = MetaroceChannel.over(qp, MESSAGE_BYTES_MAX, PLACES);
            channel.pipeline().addLast(new TextCodec(), talker);
            await(loop.register(channel), "registering");
            int pauses = talker.pauses.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            await(channel.close(), "closing");
            System.out.println(LINES + " lines came back in order; the client paused " + pauses + " times for room");
        } finally {
            Future<?> unused = loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        }
    }

    private static void await(Future<?> future, String what) throws Exception {
        if (!future.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            throw new TimeoutException(what + " took longer than " + PATIENCE);
        }
        future.sync(); // throws what went wrong
    }

    /** Text on one side, bytes on the other. Each buffer is a message of its own, so there is nothing to frame. */
    private static final class TextCodec extends ChannelDuplexHandler {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ByteBuf bytes = (ByteBuf) message;
            String text = bytes.toString(StandardCharsets.UTF_8);
            bytes.release();
            context.fireChannelRead(text);
        }

        @Override
        public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
            ByteBuf bytes = context.alloc().buffer(MESSAGE_BYTES_MAX);
            bytes.writeCharSequence((CharSequence) message, StandardCharsets.UTF_8);
            ChannelFuture unused = context.write(bytes, promise);
        }
    }

    /** Says everything back in capitals, and does not listen while it is not heard. */
    private static final class Echo extends ChannelInboundHandlerAdapter {
        private int lines;

        @Override
        public void channelRead(ChannelHandlerContext context, Object line) {
            lines++;
            ChannelFuture unused = context.write(((String) line).toUpperCase(Locale.ROOT));
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            context.flush();
        }

        @Override
        public void channelWritabilityChanged(ChannelHandlerContext context) {
            context.channel().config().setAutoRead(context.channel().isWritable());
        }
    }

    /** Says lines while the channel is writable, goes on when it is so again, and compares what comes back. */
    private static final class Talker extends ChannelInboundHandlerAdapter {
        private final CompletableFuture<Integer> pauses = new CompletableFuture<>();
        private int said;
        private int heard;
        private int waited;

        @Override
        public void channelActive(ChannelHandlerContext context) {
            talk(context);
        }

        @Override
        public void channelWritabilityChanged(ChannelHandlerContext context) {
            talk(context);
        }

        private void talk(ChannelHandlerContext context) {
            while (said < LINES && context.channel().isWritable()) {
                ChannelFuture unused = context.write("line " + said++);
            }
            waited += said < LINES ? 1 : 0;
            context.flush();
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object line) {
            if (!line.equals("LINE " + heard)) {
                pauses.completeExceptionally(new IllegalStateException(line + " came instead of line " + heard));
            } else if (++heard == LINES) {
                pauses.complete(waited);
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            pauses.completeExceptionally(new IllegalStateException("the server went after " + heard + " lines"));
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            pauses.completeExceptionally(cause);
        }
    }
}
