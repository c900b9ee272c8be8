package io.metaroce.tools;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import org.HdrHistogram.Histogram;

/** Round trips with a {@link BareEcho}: the floor under every protocol on the same sockets. */
public final class BarePing {
    private static final int WARM_UP = 100;
    private static final int TIMEOUT_MS = 1000;
    private static final int BYTES_MAX = 60_000;

    private BarePing() {}

    /** Half of each of {@code rounds} round trips of {@code bytes} bytes to an echo, in ns; lost ones are left out. */
    public static Histogram halfRoundTrips(String echo, int bytes, int rounds) throws IOException {
        int colon = echo.lastIndexOf(':');
        InetAddress host = InetAddress.getByName(echo.substring(0, colon));
        int port = Integer.parseInt(echo.substring(colon + 1));
        Histogram half = new Histogram(3);
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.connect(new InetSocketAddress(host, port));
            socket.setSoTimeout(TIMEOUT_MS);
            byte[] payload = new byte[Math.min(bytes, BYTES_MAX)];
            DatagramPacket packet = new DatagramPacket(payload, payload.length);
            for (int i = -WARM_UP; i < rounds; i++) {
                long startNs = System.nanoTime();
                socket.send(packet);
                if (arrives(socket, packet) && i >= 0) {
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
}
