package io.metaroce.udp;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.socket.DatagramPacket;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.channel.unix.SegmentedDatagramPacket;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * The sending side of one socket: single packets and segmented runs, and what becomes of those that fail. Event loop
 * only.
 */
final class OutboundSocket {
    /** Whether several packets may leave as one segmented send. */
    enum Segmentation {
        ON,
        OFF
    }

    /** Hears when a socket takes no more packets, and when it takes them again. */
    interface Listener {
        void blocked(OutboundSocket socket);

        void unblocked(OutboundSocket socket);
    }

    private final Channel channel;
    private final int plane;
    private final SendTally tally;
    private final SendTrouble trouble;
    private Segmentation segmentation;
    private @Nullable Listener listener;
    private final boolean callsPerPacket;
    private int queuedPackets;
    private boolean isBlocked;

    OutboundSocket(Channel channel, int plane, Segmentation segmentation, SendTally tally, SendTrouble trouble) {
        this.channel = channel;
        this.plane = plane;
        this.segmentation = segmentation;
        this.tally = tally;
        this.trouble = trouble;
        this.callsPerPacket = channel instanceof NioDatagramChannel;
    }

    Channel channel() {
        return channel;
    }

    int plane() {
        return plane;
    }

    boolean segments() {
        return segmentation == Segmentation.ON;
    }

    void listener(Listener listener) {
        this.listener = listener;
    }

    /** Queues a run for the next {@link #flush()}. True when it is the first since then. */
    boolean write(Run run) {
        if (run.packets == 1) {
            writeOne(run, 0, run.bytes);
        } else if (segments()) {
            writeSegmented(run);
        } else {
            writeOneByOne(run);
        }
        boolean isFirst = queuedPackets == 0;
        queuedPackets += run.packets;
        return isFirst;
    }

    /** Hands everything queued to the kernel. What the kernel does not take now leaves by itself later. */
    void flush() {
        tally.systemCalls(callsPerPacket ? queuedPackets : 1);
        queuedPackets = 0;
        channel.flush();
        // The water marks make a channel writable only while nothing is queued in it.
        if (!isBlocked && channel.isActive() && !channel.isWritable()) {
            isBlocked = true;
            if (listener != null) {
                listener.blocked(this);
            }
        }
    }

    /** The channel took the last queued packet, or got its first. */
    void writabilityChanged() {
        if (isBlocked && channel.isWritable()) {
            isBlocked = false;
            if (listener != null) {
                listener.unblocked(this);
            }
        }
    }

    /** A packet sent alone was refused. */
    void packetFailed(Throwable cause) {
        tally.failed(1);
        trouble.lost(name(), SendFault.of(cause), cause);
    }

    private void writeSegmented(Run run) {
        tally.segmentedSend(run.packets);
        SegmentedDatagramPacket packet =
                new SegmentedDatagramPacket(run.slab.retainedSlice(run.start, run.bytes), run.segmentBytes, run.to);
        // The bytes must live until the outcome is known: a refused run is sent again packet by packet.
        run.slab.retain();
        ChannelFutureListener outcome = future -> completed(run, future);
        ChannelFuture unused = channel.write(packet).addListener(outcome);
    }

    private void completed(Run run, ChannelFuture future) {
        Throwable cause = future.cause();
        if (cause != null) {
            SendFault fault = SendFault.of(cause);
            switch (fault) {
                case DROPPED, CLOSED -> {
                    tally.failed(run.packets);
                    trouble.lost(name(), fault, cause);
                }
                case REFUSED, TOO_LONG -> {
                    if (segments()) {
                        segmentation = Segmentation.OFF;
                        tally.fallback();
                        trouble.fallback(name(), run.packets, cause);
                    }
                    writeOneByOne(run);
                    tally.systemCalls(1);
                    channel.flush();
                }
            }
        }
        boolean unused = run.slab.release();
    }

    private void writeOneByOne(Run run) {
        for (int at = 0; at < run.bytes; at += run.segmentBytes) {
            writeOne(run, at, Math.min(run.segmentBytes, run.bytes - at));
        }
    }

    /** Nobody watches single packets: the void promise reports a failure to the pipeline. */
    private void writeOne(Run run, int at, int length) {
        DatagramPacket packet = new DatagramPacket(run.slab.retainedSlice(run.start + at, length), run.to);
        ChannelFuture unused = channel.write(packet, channel.voidPromise());
    }

    private String name() {
        SocketAddress local = channel.localAddress();
        return local instanceof InetSocketAddress socket
                ? SocketAddresses.text(socket.getAddress(), socket.getPort())
                : String.valueOf(local);
    }

    /**
     * Packets that lie one behind the other in a buffer and go the same way. All are {@code segmentBytes} long, only
     * the last may be shorter.
     */
    record Run(ByteBuf slab, int start, int bytes, int segmentBytes, int packets, InetSocketAddress to) {}
}
