package io.metaroce.udp;

import io.metaroce.num.Entropy;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The source ports of one plane, shared by all its connections: entropy value k leaves through socket k. Sockets are
 * opened when they are first used, in the dynamic range; when no more can be opened, several values share one.
 *
 * <p>Thread rule: the endpoint's event loop.
 */
final class SourcePorts implements IntFunction<OutboundSocket> {
    private static final Logger LOG = LoggerFactory.getLogger("io.metaroce.udp");

    // The dynamic range of ports, as the specification asks for the pool (section 2).
    static final int PORT_MIN = 49_152;
    static final int PORT_MAX = 65_535;
    /** The least: what arrives here is a refusal now and then. */
    static final int RECEIVE_BUFFER_BYTES = 4096;

    private static final int TRIES = 16;
    private static final int ANY_PORT = 0;

    /** Opens the socket behind a port. */
    interface Opener {
        /**
         * Opens and binds.
         *
         * @throws BindFailedException when the port is taken or sockets have run out
         */
        OutboundSocket open(int port);
    }

    private final Opener opener;
    private final Entropy entropy;
    private final OutboundSocket fallback;
    private final @Nullable OutboundSocket[] sockets;
    private int opened;
    private boolean shortageSaid;

    /**
     * A pool of {@code count} ports.
     *
     * @param fallback what sends when not one socket can be opened
     */
    SourcePorts(int count, Opener opener, Entropy entropy, OutboundSocket fallback) {
        this.sockets = new OutboundSocket[count];
        this.opener = opener;
        this.entropy = entropy;
        this.fallback = fallback;
    }

    /** The socket of an entropy value; opens it when it is the first time. */
    @Override
    public OutboundSocket apply(int value) {
        int index = Math.floorMod(value, sockets.length);
        OutboundSocket socket = sockets[index];
        if (socket == null) {
            socket = open();
            sockets[index] = socket;
        }
        return socket;
    }

    /** Closes every socket of the pool. */
    void close() {
        for (int i = 0; i < sockets.length; i++) {
            OutboundSocket socket = sockets[i];
            if (socket != null && socket != fallback) {
                UdpSockets.close(socket.channel());
            }
        }
    }

    private OutboundSocket open() {
        BindFailedException last = null;
        for (int i = 0; i <= TRIES; i++) {
            try {
                OutboundSocket socket = opener.open(i < TRIES ? draw() : ANY_PORT);
                opened++;
                return socket;
            } catch (PortTakenException e) {
                last = e;
            } catch (BindFailedException e) {
                last = e;
                break;
            }
        }
        OutboundSocket substitute = anyOpen();
        if (!shortageSaid) {
            shortageSaid = true;
            LOG.warn(
                    "only {} of {} source ports could be opened, so paths share them and with them their way through"
                            + " the network ({}); raise the limit of open files (ulimit -n) or lower the option sourcePorts",
                    opened,
                    sockets.length,
                    last == null ? "" : last.getMessage());
        }
        return substitute;
    }

    /** A port of the range, but never the one that endpoints listen on by default. */
    private int draw() {
        int port = PORT_MIN + entropy.nextInt(PORT_MAX - PORT_MIN + 1);
        return port == UdpConfig.DEFAULT_PORT ? port + 1 : port;
    }

    private OutboundSocket anyOpen() {
        int start = entropy.nextInt(sockets.length);
        for (int i = 0; i < sockets.length; i++) {
            OutboundSocket socket = sockets[(start + i) % sockets.length];
            if (socket != null) {
                return socket;
            }
        }
        return fallback;
    }
}
