package io.metaroce.tools;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.DatagramChannel;

/**
 * A bare UDP echo: what the socket itself takes for a round trip, without any protocol. One thread, blocking, so that
 * it sleeps and wakes as an idle endpoint does.
 */
public final class BareEcho implements AutoCloseable {
    private static final int BYTES_MAX = 65536;

    private final DatagramChannel channel;

    private BareEcho(DatagramChannel channel) {
        this.channel = channel;
    }

    /** Starts an echo at {@code address} on a free port. */
    public static BareEcho start(String address) throws IOException {
        DatagramChannel channel = DatagramChannel.open();
        channel.bind(new InetSocketAddress(InetAddress.getByName(address), 0));
        BareEcho echo = new BareEcho(channel);
        Thread thread = new Thread(echo::run, "bare-echo");
        thread.setDaemon(true);
        thread.start();
        return echo;
    }

    /** Port of the echo. */
    public int port() throws IOException {
        return ((InetSocketAddress) channel.getLocalAddress()).getPort();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    private void run() {
        ByteBuffer buffer = ByteBuffer.allocateDirect(BYTES_MAX);
        try {
            while (channel.isOpen()) {
                buffer.clear();
                SocketAddress from = channel.receive(buffer);
                buffer.flip();
                channel.send(buffer, from);
            }
        } catch (AsynchronousCloseException e) {
            // closed: the normal end
        } catch (IOException e) {
            throw new IllegalStateException("the bare echo failed", e);
        }
    }
}
