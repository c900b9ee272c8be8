package io.metaroce.udp;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Asks the network why nothing answers. Endpoint sockets are unconnected and never hear of refusals; so one short-lived
 * connected socket sends one byte, zero, which any endpoint drops, and listens for the refusal.
 */
final class Reachability {
    private Reachability() {}

    /** A sentence, or null when nothing is known: the byte was swallowed, which is also what an endpoint does. */
    static @Nullable String diagnose(InetAddress local, InetSocketAddress remote, long timeoutNs) {
        String where = SocketAddresses.text(remote.getAddress(), remote.getPort());
        try (DatagramChannel channel = DatagramChannel.open();
                Selector selector = Selector.open()) {
            channel.configureBlocking(false);
            channel.bind(new InetSocketAddress(local, 0));
            channel.connect(remote);
            int unused = channel.write(ByteBuffer.allocate(1));
            SelectionKey unusedKey = channel.register(selector, SelectionKey.OP_READ);
            int ready = selector.select(Math.max(1, TimeUnit.NANOSECONDS.toMillis(timeoutNs)));
            if (ready > 0) {
                int unusedBytes = channel.read(ByteBuffer.allocate(1));
            }
            return null;
        } catch (PortUnreachableException e) {
            return "port unreachable: no socket is bound at " + where;
        } catch (IOException e) {
            return "unreachable: " + where + " (" + e.getMessage() + ")";
        }
    }
}
