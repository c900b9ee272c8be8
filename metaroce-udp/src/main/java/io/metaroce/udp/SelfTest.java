package io.metaroce.udp;

import io.metaroce.udp.Capabilities.Ability;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.DatagramPacket;
import io.netty.channel.unix.SegmentedDatagramPacket;
import io.netty.util.ReferenceCountUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Proves at bind, with two sockets on the endpoint's own address, that several packets sent as one and received as one
 * come out as what they were. A device may still refuse what the machine's inside can do, so {@link OutboundSocket}
 * falls back at run time.
 */
final class SelfTest {
    private static final int PACKET_BYTES = 700;
    private static final int PACKETS = 4;
    private static final int LAST_BYTES = 300;
    private static final long TIMEOUT_MS = 1000;

    private final UdpSockets sockets;
    private final InetAddress local;

    SelfTest(UdpSockets sockets, InetAddress local) {
        this.sockets = sockets;
        this.local = local;
    }

    /** Whether several packets can be sent as one. Not to be called on the event loop. */
    Ability segmentation(UdpConfig.Offload wish) {
        if (wish == UdpConfig.Offload.OFF) {
            return Ability.off("switched off");
        }
        return demanded("segmentation", wish, tryOut(Ability.off("not used by this socket")));
    }

    /** Whether the kernel may hand over several packets as one. Not to be called on the event loop. */
    Ability coalescing(UdpConfig.Offload wish, Ability segmentation) {
        if (wish == UdpConfig.Offload.OFF) {
            return Ability.off("switched off");
        }
        if (!segmentation.isOn()) {
            return demanded(
                    "coalescing",
                    wish,
                    Ability.off("cannot be proved without segmented sends: " + segmentation.reason()));
        }
        return demanded("coalescing", wish, tryOut(Ability.on("to be tried")));
    }

    private static Ability demanded(String option, UdpConfig.Offload wish, Ability found) {
        if (wish == UdpConfig.Offload.ON && !found.isOn()) {
            throw new UnsupportedOperationException(
                    option + " does not work here: " + found.reason() + "; use the option " + option + "(AUTO)");
        }
        return found;
    }

    private Ability tryOut(Ability coalescing) {
        DatagramChannel receiver = sockets.create(local);
        if (!(receiver instanceof EpollDatagramChannel) || !EpollDatagramChannel.isSegmentedDatagramPacketSupported()) {
            UdpSockets.close(receiver);
            return Ability.off(
                    receiver instanceof EpollDatagramChannel ? "the kernel does not know it" : "needs epoll");
        }
        DatagramChannel sender = sockets.create(local);
        CompletableFuture<Ability> verdict = new CompletableFuture<>();
        try {
            UdpSockets.reading(receiver, coalescing);
            sockets.bind(receiver, new InetSocketAddress(local, 0), new Judge(verdict));
            sockets.bind(sender, new InetSocketAddress(local, 0), new ChannelInboundHandlerAdapter());
            receiver.config().setAutoRead(true);
            SegmentedDatagramPacket packets =
                    new SegmentedDatagramPacket(pattern(), PACKET_BYTES, receiver.localAddress());
            ChannelFuture unused = sender.writeAndFlush(packets).addListener(sent -> {
                if (sent.cause() != null) {
                    verdict.complete(Ability.off(String.valueOf(sent.cause().getMessage())));
                }
            });
            return verdict.get(TIMEOUT_MS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return Ability.off("the packets of the test did not come back within " + TIMEOUT_MS + " ms");
        } catch (ExecutionException | BindFailedException e) {
            return Ability.off(String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Ability.off("interrupted");
        } finally {
            UdpSockets.close(receiver);
            UdpSockets.close(sender);
        }
    }

    private static ByteBuf pattern() {
        int length = PACKET_BYTES * (PACKETS - 1) + LAST_BYTES;
        ByteBuf bytes = Unpooled.directBuffer(length);
        for (int i = 0; i < length; i++) {
            bytes.writeByte(byteAt(i));
        }
        return bytes;
    }

    private static byte byteAt(int index) {
        return (byte) (index * 31 + (index >> 8));
    }

    /** Compares what arrives with what was sent, packet by packet. */
    private static final class Judge extends ChannelInboundHandlerAdapter {
        private final CompletableFuture<Ability> verdict;
        private int packets;

        Judge(CompletableFuture<Ability> verdict) {
            this.verdict = verdict;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            try {
                if (message instanceof DatagramPacket packet) {
                    judge(packet.content());
                }
            } finally {
                boolean unused = ReferenceCountUtil.release(message);
            }
        }

        private void judge(ByteBuf content) {
            boolean isLast = packets == PACKETS - 1;
            int expected = isLast ? LAST_BYTES : PACKET_BYTES;
            if (content.readableBytes() != expected) {
                verdict.complete(Ability.off("packet " + packets + " of the test arrived with "
                        + content.readableBytes() + " bytes instead of " + expected));
                return;
            }
            for (int i = 0; i < expected; i++) {
                if (content.getByte(content.readerIndex() + i) != byteAt(packets * PACKET_BYTES + i)) {
                    verdict.complete(Ability.off("packet " + packets + " of the test arrived with other bytes"));
                    return;
                }
            }
            packets++;
            if (isLast) {
                verdict.complete(Ability.on("tested at bind"));
            }
        }
    }
}
