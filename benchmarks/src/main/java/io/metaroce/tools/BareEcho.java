package io.metaroce.tools;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;

/**
 * A bare UDP echo: what the socket itself takes for a round trip, without any protocol. One thread that sleeps and
 * wakes as an idle endpoint does, or looks for packets without sleeping as an endpoint does that was told to.
 */
public final class BareEcho implements AutoCloseable {
    private static final int BYTES_MAX = 65536;

    private final DatagramChannel channel;
    private final long spinNs;

    private BareEcho(DatagramChannel channel, long spinNs) {
        this.channel = channel;
        this.spinNs = spinNs;
    }

    /** Starts an echo at {@code address} on a free port, which sleeps while nothing comes. */
    public static BareEcho start(String address) throws IOException {
        return start(address, 0);
    }

    /** The same, going on to look for {@code spinNs} after each packet before it sleeps. */
    public static BareEcho start(String address, long spinNs) throws IOException {
        DatagramChannel channel = DatagramChannel.open();
        channel.bind(new InetSocketAddress(InetAddress.getByName(address), 0));
        BareEcho echo = new BareEcho(channel, spinNs);
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
                answer(channel.receive(buffer.clear()), buffer);
                if (spinNs > 0) {
                    look(buffer);
                }
            }
        } catch (AsynchronousCloseException e) {
            // closed while it waited: the normal end
        } catch (ClosedChannelException e) {
            // closed between two looks: as normal
        } catch (IOException e) {
            throw new IllegalStateException("the bare echo failed", e);
        }
    }

    /** Looks without sleeping as long as packets come. */
    private void look(ByteBuffer buffer) throws IOException {
        channel.configureBlocking(false);
        long endNs = System.nanoTime() + spinNs;
        while (System.nanoTime() - endNs < 0) {
            SocketAddress from = channel.receive(buffer.clear());
            if (from != null) {
                answer(from, buffer);
                endNs = System.nanoTime() + spinNs;
            }
        }
        channel.configureBlocking(true);
    }

    private void answer(SocketAddress from, ByteBuffer buffer) throws IOException {
        channel.send(buffer.flip(), from);
    }
}
