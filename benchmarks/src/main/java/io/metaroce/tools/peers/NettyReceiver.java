package io.metaroce.tools.peers;

import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** A receiving side that is a channel on an event loop of its own and a count. */
public final class NettyReceiver implements Peer.Receiver {
    private final String address;
    private final AtomicLong counted;
    private final Channel channel;
    private final EventLoopGroup loop;

    /** Owns channel and loop. */
    public NettyReceiver(String address, AtomicLong counted, Channel channel, EventLoopGroup loop) {
        this.address = address;
        this.counted = counted;
        this.channel = channel;
        this.loop = loop;
    }

    @Override
    public String address() {
        return address;
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
