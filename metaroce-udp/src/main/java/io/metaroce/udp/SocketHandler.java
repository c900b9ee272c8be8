package io.metaroce.udp;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.DatagramPacket;
import io.netty.util.ReferenceCountUtil;

/** The one handler of a socket's pipeline: datagrams in, news about sending. */
final class SocketHandler extends ChannelInboundHandlerAdapter {
    private final LoopDriver driver;
    private final ReceiveBatch received;
    private final OutboundSocket outbound;

    SocketHandler(LoopDriver driver, ReceiveBatch received, OutboundSocket outbound) {
        this.driver = driver;
        this.received = received;
        this.outbound = outbound;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        try {
            if (message instanceof DatagramPacket packet) {
                received.deliver(packet);
            }
        } finally {
            boolean unused = ReferenceCountUtil.release(message);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        received.readComplete();
        driver.requestPass();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        outbound.writabilityChanged();
    }

    /** A send failed whose promise nobody watches, or a read did. */
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        outbound.packetFailed(cause);
    }
}
