package io.metaroce.udp;

import io.metaroce.udp.Capabilities.Ability;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.DatagramPacket;
import io.netty.util.ReferenceCountUtil;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Opens service sockets as groups that are sorted by the kernel and proves that they are: each member is sent a
 * datagram of its own, and one by a request, and must get it. Whatever fails, the sockets of the first endpoint are
 * plain ones again.
 */
final class SteeringTest {
    private static final long TIMEOUT_MS = 1000;
    private static final int NONCE = 0x4d61726b;
    private static final int WANTED_AT = 8;
    private static final int BYTES = 80;
    private static final int NOT_ECT = 0;
    private static final int CE = 3;

    private final UdpConfig config;
    private final List<Lane> lanes;
    private final Ability coalescing;

    /**
     * A test.
     *
     * @param lanes the endpoints at one address, of which only the first has its service sockets
     */
    SteeringTest(UdpConfig config, List<Lane> lanes, Ability coalescing) {
        this.config = config;
        this.lanes = lanes;
        this.coalescing = coalescing;
    }

    /** Why codepoints cannot be told apart whatever the kernel does, or nothing. */
    String obstacleToMarks() {
        if (config.congestionMarks() == UdpConfig.Offload.OFF) {
            return "switched off";
        }
        if (!lanes.get(0).loops().isEpoll()) {
            return "neither the JDK nor NIO hands over the mark of a datagram; needs epoll";
        }
        return lanes.get(0).loops().turns() == null ? "needs an event loop of the endpoint's own" : "";
    }

    /** Opens the groups, for all lanes; whether they are sorted. Not to be called on an event loop. */
    Ability open(Steering.Codepoints codepoints) {
        if (!lanes.get(0).loops().isEpoll()) {
            return Ability.off("needs epoll");
        }
        Ability found = Ability.off("no plane");
        for (int plane = 0; plane < lanes.get(0).services().size(); plane++) {
            found = open(plane, codepoints);
            if (!found.isOn()) {
                undo();
                return found;
            }
        }
        return found;
    }

    private void undo() {
        for (int shard = 1; shard < lanes.size(); shard++) {
            lanes.get(shard).closeSockets();
        }
        lanes.get(0).services().forEach(ServiceSocket::narrow);
    }

    private Ability open(int plane, Steering.Codepoints codepoints) {
        ServiceSocket first = lanes.get(0).services().get(plane);
        List<DatagramChannel> group = new ArrayList<>();
        try {
            first.share();
            for (Lane lane : lanes) {
                if (lane.services().size() == plane) {
                    lane.services().add(ServiceSocket.joining(lane.sockets(), first, config));
                }
                ServiceSocket service = lane.services().get(plane);
                if (codepoints == Steering.Codepoints.SORTED) {
                    service.widen(lane.sockets());
                }
                service.prepare(coalescing);
                group.addAll(service.members());
            }
        } catch (BindFailedException e) {
            return Ability.off(String.valueOf(e.getMessage()));
        }
        if (!Steering.attach(first.channel(), first.local() instanceof Inet6Address, lanes.size(), codepoints)) {
            return Ability.off("the system does not sort datagrams by a program (SO_ATTACH_REUSEPORT_CBPF)");
        }
        return prove(first, group, codepoints == Steering.Codepoints.SORTED);
    }

    private Ability prove(ServiceSocket first, List<DatagramChannel> group, boolean sorted) {
        CompletableFuture<Ability> verdict = new CompletableFuture<>();
        AtomicInteger seen = new AtomicInteger();
        for (int i = 0; i < group.size(); i++) {
            group.get(i).pipeline().addLast(new Judge(i, 2 * group.size(), sorted, seen, verdict));
            group.get(i).config().setAutoRead(true);
        }
        UdpSockets sockets = lanes.get(0).sockets();
        DatagramChannel sender = sockets.create(first.local());
        try {
            sockets.bind(sender, new InetSocketAddress(first.local(), 0), new ChannelInboundHandlerAdapter());
            for (int i = 0; i < group.size(); i++) {
                int shard = sorted ? i / Steering.CODEPOINTS : i;
                sender.config().setTrafficClass(sorted ? i % Steering.CODEPOINTS : NOT_ECT);
                send(sender, first, i, -lanes.size() | shard, 0);
                send(sender, first, i, 0, -lanes.size() | shard);
            }
            return verdict.get(TIMEOUT_MS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return Ability.off("of the " + 2 * group.size() + " datagrams of the test only " + seen.get()
                    + " came back within " + TIMEOUT_MS + " ms");
        } catch (ExecutionException | BindFailedException e) {
            return Ability.off(String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Ability.off("interrupted");
        } finally {
            UdpSockets.close(sender);
            for (DatagramChannel member : group) {
                member.config().setAutoRead(false);
                member.pipeline().remove(Judge.class);
            }
        }
    }

    /** One at a time, since the codepoint is that of the socket. */
    private static void send(DatagramChannel sender, ServiceSocket to, int wanted, int connection, int initiator) {
        ByteBuf bytes = Unpooled.directBuffer(BYTES)
                .writeInt(NONCE)
                .writeInt(connection)
                .writeInt(wanted)
                .writeInt(0)
                .writeInt(initiator);
        bytes.writeZero(BYTES - bytes.readableBytes());
        boolean unused =
                sender.writeAndFlush(new DatagramPacket(bytes, to.advertised())).awaitUninterruptibly(TIMEOUT_MS);
    }

    /** Notes what arrived on which member; packets of others are none of its business. */
    private static final class Judge extends ChannelInboundHandlerAdapter {
        private final int member;
        private final int expected;
        private final boolean sorted;
        private final AtomicInteger seen;
        private final CompletableFuture<Ability> verdict;

        Judge(int member, int expected, boolean sorted, AtomicInteger seen, CompletableFuture<Ability> verdict) {
            this.member = member;
            this.expected = expected;
            this.sorted = sorted;
            this.seen = seen;
            this.verdict = verdict;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            try {
                if (message instanceof DatagramPacket packet && isOurs(packet.content())) {
                    judge(packet.content().getInt(packet.content().readerIndex() + WANTED_AT));
                }
            } finally {
                boolean unused = ReferenceCountUtil.release(message);
            }
        }

        private static boolean isOurs(ByteBuf content) {
            return content.readableBytes() == BYTES && content.getInt(content.readerIndex()) == NONCE;
        }

        private void judge(int wanted) {
            // A rule of this machine may mark what is capable of it, also here.
            boolean isMarked = sorted
                    && member / Steering.CODEPOINTS == wanted / Steering.CODEPOINTS
                    && member % Steering.CODEPOINTS == CE
                    && wanted % Steering.CODEPOINTS != NOT_ECT;
            if (wanted != member && !isMarked) {
                boolean unused = verdict.complete(
                        Ability.off("a datagram for socket " + wanted + " of the group arrived on socket " + member));
            } else if (seen.incrementAndGet() == expected) {
                boolean unused = verdict.complete(Ability.on("sorted by the kernel; tested at bind"));
            }
        }
    }
}
