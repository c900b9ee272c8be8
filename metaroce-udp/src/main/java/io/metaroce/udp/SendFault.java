package io.metaroce.udp;

import io.netty.channel.unix.Errors.NativeIoException;
import java.nio.channels.ClosedChannelException;

/** What the error of a send means for the packets and for the socket. */
enum SendFault {
    /** The packets are lost as if the network had dropped them: a filter, no route, a peer's host that is down. */
    DROPPED,
    /** The packet is longer than the way to the peer allows. */
    TOO_LONG,
    /** The socket is closed. */
    CLOSED,
    /** The kernel or the device refused; if it was a segmented send, perhaps because it was one. */
    REFUSED;

    // Error numbers of Linux.
    private static final int EPERM = 1;
    private static final int EACCES = 13;
    private static final int EMSGSIZE = 90;
    private static final int EAFNOSUPPORT = 97;
    private static final int ENETDOWN = 100;
    private static final int ENETUNREACH = 101;
    private static final int ECONNREFUSED = 111;
    private static final int EHOSTDOWN = 112;
    private static final int EHOSTUNREACH = 113;

    static SendFault of(Throwable cause) {
        if (cause instanceof ClosedChannelException) {
            return CLOSED;
        }
        if (cause instanceof NativeIoException e) {
            return switch (Math.abs(e.expectedErr())) {
                case EPERM, EACCES, EAFNOSUPPORT, ENETDOWN, ENETUNREACH, ECONNREFUSED, EHOSTDOWN, EHOSTUNREACH ->
                    DROPPED;
                case EMSGSIZE -> TOO_LONG;
                default -> REFUSED;
            };
        }
        String message = String.valueOf(cause.getMessage());
        return message.contains("too long") ? TOO_LONG : DROPPED;
    }
}
