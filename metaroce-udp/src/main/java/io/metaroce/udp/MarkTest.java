package io.metaroce.udp;

import io.metaroce.udp.Capabilities.Ability;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.DatagramPacket;
import io.netty.util.ReferenceCountUtil;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Opens the service sockets as groups that are sorted by codepoint and proves that they are: a datagram of each codepoint
 * is sent to each, and must arrive on its own member. Whatever fails, the sockets are plain ones again.
 */
final class MarkTest {
    private static final long TIMEOUT_MS = 1000;
    private static final long NONCE = 0x4d61726b54657374L;
    private static final int BYTES = 80;
    private static final int ECT_1 = 1;
    private static final int ECT_0 = 2;
    private static final int CE = 3;
    private static final int ALL = (1 << EcnSteering.CODEPOINTS) - 1;

    private final UdpSockets sockets;
    private final EventLoops loops;
    private final Ability coalescing;

    MarkTest(UdpSockets sockets, EventLoops loops, Ability coalescing) {
        this.coalescing = coalescing;
        this.sockets = sockets;
        this.loops = loops;
    }

    /**
     * Whether marks can be read, after which they are. Not to be called on the event loop.
     *
     * @throws UnsupportedOperationException when that is demanded and does not work
     */
    Ability open(UdpConfig.Offload wish, List<ServiceSocket> services) {
        if (wish == UdpConfig.Offload.OFF) {
            return Ability.off("switched off");
        }
        Ability found = tryOut(services);
        if (!found.isOn()) {
            services.forEach(MarkTest::unsort);
            if (wish == UdpConfig.Offload.ON) {
                throw new UnsupportedOperationException("reading congestion marks does not work here: "
                        + found.reason() + "; use the option congestionMarks(AUTO)");
            }
        }
        return found;
    }

    private static void unsort(ServiceSocket service) {
        if (service.members().size() > 1) {
            service.unsort();
        }
    }

    private Ability tryOut(List<ServiceSocket> services) {
        if (!loops.isEpoll()) {
            return Ability.off("neither the JDK nor NIO hands over the mark of a datagram; needs epoll");
        }
        if (loops.turns() == null) {
            return Ability.off("needs an event loop of the endpoint's own");
        }
        for (ServiceSocket service : services) {
            Ability one = tryOut(service);
            if (!one.isOn()) {
                return one;
            }
        }
        return Ability.on("sorted by the kernel onto " + EcnSteering.CODEPOINTS + " sockets; tested at bind");
    }

    private Ability tryOut(ServiceSocket service) {
        try {
            if (!service.sort(sockets)) {
                return Ability.off("the system does not sort datagrams by a program (SO_ATTACH_REUSEPORT_CBPF)");
            }
            return prove(service);
        } catch (BindFailedException e) {
            return Ability.off(String.valueOf(e.getMessage()));
        }
    }

    private Ability prove(ServiceSocket service) {
        CompletableFuture<Ability> verdict = new CompletableFuture<>();
        AtomicInteger seen = new AtomicInteger();
        List<DatagramChannel> members = service.members();
        service.prepare(coalescing);
        for (int i = 0; i < members.size(); i++) {
            members.get(i).pipeline().addLast(new Judge(i, seen, verdict));
            members.get(i).config().setAutoRead(true);
        }
        DatagramChannel sender = sockets.create(service.local());
        try {
            sockets.bind(sender, new InetSocketAddress(service.local(), 0), new ChannelInboundHandlerAdapter());
            for (int codepoint = 0; codepoint < EcnSteering.CODEPOINTS; codepoint++) {
                sender.config().setTrafficClass(codepoint);
                ByteBuf bytes = Unpooled.directBuffer(BYTES).writeLong(NONCE).writeInt(codepoint).writeZero(BYTES - 12);
                boolean unused = sender.writeAndFlush(
                                new DatagramPacket(bytes, service.channel().localAddress()))
                        .awaitUninterruptibly(TIMEOUT_MS);
            }
            return verdict.get(TIMEOUT_MS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return Ability.off("of the four datagrams of the test only " + Integer.bitCount(seen.get())
                    + " came back within " + TIMEOUT_MS + " ms");
        } catch (ExecutionException e) {
            return Ability.off(String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Ability.off("interrupted");
        } finally {
            UdpSockets.close(sender);
            for (DatagramChannel member : members) {
                member.config().setAutoRead(false);
                member.pipeline().remove(Judge.class);
            }
        }
    }

    /** Notes which codepoint arrived on which member; packets of others are none of its business. */
    private static final class Judge extends ChannelInboundHandlerAdapter {
        private final int member;
        private final AtomicInteger seen;
        private final CompletableFuture<Ability> verdict;

        Judge(int member, AtomicInteger seen, CompletableFuture<Ability> verdict) {
            this.member = member;
            this.seen = seen;
            this.verdict = verdict;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            try {
                if (message instanceof DatagramPacket packet && isOurs(packet.content())) {
                    judge(packet.content().getInt(packet.content().readerIndex() + Long.BYTES));
                }
            } finally {
                boolean unused = ReferenceCountUtil.release(message);
            }
        }

        private static boolean isOurs(ByteBuf content) {
            return content.readableBytes() == BYTES && content.getLong(content.readerIndex()) == NONCE;
        }

        private void judge(int codepoint) {
            // A rule of this machine may mark what is capable of it, also here.
            boolean isMarked = member == CE && (codepoint == ECT_0 || codepoint == ECT_1);
            if (codepoint != member && !isMarked) {
                boolean unused = verdict.complete(Ability.off("a datagram with codepoint " + codepoint
                        + " arrived on the socket of codepoint " + member));
            } else if (seen.updateAndGet(mask -> mask | 1 << codepoint) == ALL) {
                boolean unused = verdict.complete(Ability.on("tested at bind"));
            }
        }
    }
}
