package io.metaroce.tools;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import org.HdrHistogram.Histogram;

/** Round trips with a {@link BareEcho}: the floor under every protocol on the same sockets. */
public final class BarePing {
    private static final int WARM_UP = 100;
    private static final int WARM_UP_LOOKING = 10_000; // until what looks is compiled
    private static final int TIMEOUT_MS = 1000;
    private static final int LOST_MAX = 5; // in a row: nobody answers
    private static final int BYTES_MAX = 60_000;

    private BarePing() {}

    /**
     * Half of each of {@code rounds} round trips of {@code bytes} bytes to an echo, in ns; lost ones are left out, and
     * after five in a row no more are sent.
     */
    public static Histogram halfRoundTrips(String echo, int bytes, int rounds) throws IOException {
        return halfRoundTrips(echo, bytes, rounds, 0);
    }

    /** The same, and with {@code spinNs} above 0 without sleeping, to an echo that does not sleep either. */
    public static Histogram halfRoundTrips(String echo, int bytes, int rounds, long spinNs) throws IOException {
        int colon = echo.lastIndexOf(':');
        InetAddress host = InetAddress.getByName(echo.substring(0, colon));
        InetSocketAddress remote = new InetSocketAddress(host, Integer.parseInt(echo.substring(colon + 1)));
        int length = Math.min(bytes, BYTES_MAX);
        return spinNs > 0 ? looking(remote, length, rounds) : sleeping(remote, length, rounds);
    }

    private static Histogram sleeping(InetSocketAddress remote, int bytes, int rounds) throws IOException {
        Histogram half = new Histogram(3);
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.connect(remote);
            socket.setSoTimeout(TIMEOUT_MS);
            byte[] payload = new byte[bytes];
            DatagramPacket packet = new DatagramPacket(payload, payload.length);
            int lost = 0;
            for (int i = -WARM_UP; i < rounds && lost < LOST_MAX; i++) {
                long startNs = System.nanoTime();
                socket.send(packet);
                lost = arrives(socket, packet) ? 0 : lost + 1;
                if (lost == 0 && i >= 0) {
                    half.recordValue((System.nanoTime() - startNs) / 2);
                }
            }
        }
        return half;
    }

    private static boolean arrives(DatagramSocket socket, DatagramPacket packet) throws IOException {
        try {
            socket.receive(packet);
            return true;
        } catch (SocketTimeoutException e) {
            return false;
        }
    }

    private static Histogram looking(InetSocketAddress remote, int bytes, int rounds) throws IOException {
        Histogram half = new Histogram(3);
        try (DatagramChannel channel = DatagramChannel.open()) {
            channel.connect(remote);
            channel.configureBlocking(false);
            ByteBuffer packet = ByteBuffer.allocateDirect(Math.max(bytes, 1));
            int lost = 0;
            for (int i = -WARM_UP_LOOKING; i < rounds && lost < LOST_MAX; i++) {
                packet.clear().limit(bytes);
                long startNs = System.nanoTime();
                int unused = channel.write(packet);
                lost = arrives(channel, packet, startNs) ? 0 : lost + 1;
                if (lost == 0 && i >= 0) {
                    half.recordValue((System.nanoTime() - startNs) / 2);
                }
            }
        }
        return half;
    }

    private static boolean arrives(DatagramChannel channel, ByteBuffer packet, long startNs) throws IOException {
        long endNs = startNs + TIMEOUT_MS * 1_000_000L;
        while (channel.receive(packet.clear()) == null) {
            if (System.nanoTime() - endNs > 0) {
                return false;
            }
        }
        return true;
    }
}
