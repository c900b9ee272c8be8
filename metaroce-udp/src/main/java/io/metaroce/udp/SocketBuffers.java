package io.metaroce.udp;

import io.netty.channel.ChannelException;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.unix.IntegerUnixChannelOption;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Kernel buffers of sockets: what was asked, what was granted, and what to do when that is too little. */
final class SocketBuffers {
    // SOL_SOCKET, SO_RCVBUFFORCE: beyond the system's limit, for those who may.
    private static final IntegerUnixChannelOption FORCED_RECEIVE_BUFFER =
            new IntegerUnixChannelOption("SO_RCVBUFFORCE", 1, 33);
    // A receiver must be able to buffer what its rate delivers while its loop is away for so long.
    private static final long ABSENCE_US = 1000;
    private static final long US_PER_S = 1_000_000;

    private SocketBuffers() {}

    /** Asks for a receive buffer and returns what the kernel grants, both in bytes. */
    static int askReceiveBuffer(DatagramChannel channel, int askedBytes) {
        channel.config().setReceiveBufferSize(askedBytes);
        int granted = receiveBufferOf(channel);
        if (granted < askedBytes && channel instanceof EpollDatagramChannel) {
            try {
                if (channel.config().setOption(FORCED_RECEIVE_BUFFER, askedBytes)) {
                    granted = receiveBufferOf(channel);
                }
            } catch (ChannelException e) {
                // Not privileged: what was granted stands, and the advice says how to get more.
                return granted;
            }
        }
        return granted;
    }

    /** The kernel doubles what is asked, to pay for its own bookkeeping, and says the doubled number. */
    private static int receiveBufferOf(DatagramChannel channel) {
        int said = channel.config().getReceiveBufferSize();
        return channel instanceof EpollDatagramChannel ? said / 2 : said;
    }

    /** What to tell the user, or null when the kernel granted what was asked. */
    static @Nullable String advice(int askedBytes, int grantedBytes) {
        if (grantedBytes >= askedBytes) {
            return null;
        }
        return "the kernel granted a receive buffer of " + size(grantedBytes) + " where " + size(askedBytes)
                + " were asked for; bursts beyond it are lost. To allow it: sysctl -w net.core.rmem_max=" + askedBytes;
    }

    /** Most bytes per second an endpoint may grant to its senders when it can buffer so many bytes. */
    static long inboundBoundBytesPerSecond(long grantedBytes) {
        return grantedBytes * (US_PER_S / ABSENCE_US);
    }

    /** A number of bytes as people write it. */
    static String size(long bytes) {
        if (bytes >= 1 << 20 && bytes % (1 << 20) == 0) {
            return (bytes >> 20) + " MiB";
        }
        return bytes >= 10 * 1024 ? String.format(Locale.ROOT, "%d KiB", bytes >> 10) : bytes + " bytes";
    }
}
