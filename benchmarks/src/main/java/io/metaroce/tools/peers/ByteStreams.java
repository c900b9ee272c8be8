package io.metaroce.tools.peers;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.DuplexChannel;
import io.netty.util.ReferenceCountUtil;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;

/** What the two ends of a byte stream do, be it TCP or QUIC. The first byte tells the far end which. */
public final class ByteStreams {
    private static final byte COUNT = 'C';
    private static final byte ECHO = 'E';
    private static final int PIECE_BYTES = 256 * 1024;
    private static final int SMALL_IN_A_ROW = 256;

    private ByteStreams() {}

    /** The far end: counts, or sends back. One for each stream. */
    public static final class FarEnd extends ChannelInboundHandlerAdapter {
        private final AtomicLong counted;
        private boolean known;
        private boolean echoes;

        /** Adds to {@code counted}. */
        public FarEnd(AtomicLong counted) {
            this.counted = counted;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ByteBuf bytes = (ByteBuf) message;
            if (!known && bytes.isReadable()) {
                known = true;
                echoes = bytes.readByte() == ECHO;
            }
            if (echoes && bytes.isReadable()) {
                ChannelFuture unused = context.writeAndFlush(bytes);
                return;
            }
            counted.addAndGet(bytes.readableBytes());
            boolean unused = ReferenceCountUtil.release(bytes);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            ChannelFuture unused = context.close();
        }
    }

    /** The near end that sends pieces of one size until the time is over, then closes its side. */
    public static final class Source extends ChannelDuplexHandler {
        private final boolean small;
        private final long endNs;
        private final ByteBuf piece;
        private boolean ended;

        /** Sends small messages, one buffer each, or large pieces, until {@code endNs}. */
        public Source(boolean small, long endNs) {
            this.small = small;
            this.endNs = endNs;
            int bytes = small ? Peer.SMALL_BYTES : PIECE_BYTES;
            piece = Unpooled.directBuffer(bytes).writeZero(bytes);
        }

        @Override
        public void channelActive(ChannelHandlerContext context) {
            ChannelFuture unused = context.write(Unpooled.buffer(1).writeByte(COUNT));
            fill(context);
        }

        @Override
        public void channelWritabilityChanged(ChannelHandlerContext context) {
            fill(context);
        }

        private void fill(ChannelHandlerContext context) {
            int inARow = small ? SMALL_IN_A_ROW : 1;
            while (!ended && context.channel().isWritable()) {
                for (int i = 0; i < inARow; i++) {
                    ChannelFuture unused = context.write(piece.retainedDuplicate());
                }
                context.flush();
                if (System.nanoTime() >= endNs) {
                    ended = true;
                    finish(context);
                }
            }
        }

        private static void finish(ChannelHandlerContext context) {
            ChannelFuture unused = context.writeAndFlush(Unpooled.EMPTY_BUFFER)
                    .addListener(sent -> context.pipeline().fireUserEventTriggered(Ended.INSTANCE));
        }
    }

    /** Everything has been handed to the stream: whoever owns it shuts its output down. */
    public enum Ended {
        /** The only one. */
        INSTANCE
    }

    /** Closes the side that sends once all is said. */
    public static final class Shutter extends ChannelInboundHandlerAdapter {
        /** One for each stream. */
        public Shutter() {}

        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) {
            if (event == Ended.INSTANCE) {
                ChannelFuture unused = ((DuplexChannel) context.channel()).shutdownOutput();
            }
            ChannelHandlerContext unused = context.fireUserEventTriggered(event);
        }
    }

    /** The near end that sends a message when the last one has come back. */
    public static final class Pinger extends ChannelInboundHandlerAdapter {
        private final long endNs;
        private final Histogram half;
        private final ByteBuf ping = Unpooled.directBuffer(Peer.SMALL_BYTES).writeZero(Peer.SMALL_BYTES);
        private long startNs;
        private int back;

        /** Records half round trips until {@code endNs}, then closes the channel. */
        public Pinger(long endNs, Histogram half) {
            this.endNs = endNs;
            this.half = half;
        }

        @Override
        public void channelActive(ChannelHandlerContext context) {
            ChannelFuture unused = context.write(Unpooled.buffer(1).writeByte(ECHO));
            next(context);
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            back += ((ByteBuf) message).readableBytes();
            boolean unused = ReferenceCountUtil.release(message);
            if (back >= Peer.SMALL_BYTES) {
                back = 0;
                half.recordValue((System.nanoTime() - startNs) / 2);
                next(context);
            }
        }

        private void next(ChannelHandlerContext context) {
            startNs = System.nanoTime();
            if (startNs >= endNs) {
                ChannelFuture unused = context.close();
                return;
            }
            ChannelFuture unused = context.writeAndFlush(ping.retainedDuplicate());
        }
    }
}
