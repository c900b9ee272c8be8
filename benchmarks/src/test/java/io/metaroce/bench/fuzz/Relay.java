package io.metaroce.bench.fuzz;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/** Passes datagrams on to a server and shows them to a witness; what the server answers goes its own way. */
final class Relay implements AutoCloseable {
    private static final int BYTES_MAX = 65_536;

    private final DatagramSocket socket;
    private final InetSocketAddress server;
    private final Consumer<ByteBuffer> witness;
    private final Thread thread;

    Relay(int serverPort, Consumer<ByteBuffer> witness) throws IOException {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        this.server = new InetSocketAddress(loopback, serverPort);
        this.witness = witness;
        socket = new DatagramSocket(0, loopback);
        thread = new Thread(this::run, "relay");
        thread.setDaemon(true);
        thread.start();
    }

    int port() {
        return socket.getLocalPort();
    }

    @Override
    public void close() {
        socket.close();
    }

    private void run() {
        byte[] bytes = new byte[BYTES_MAX];
        try {
            while (true) {
                DatagramPacket packet = new DatagramPacket(bytes, bytes.length);
                socket.receive(packet);
                ByteBuffer copy = ByteBuffer.allocateDirect(packet.getLength());
                copy.put(0, bytes, 0, packet.getLength());
                witness.accept(copy);
                packet.setSocketAddress(server);
                socket.send(packet);
            }
        } catch (SocketException e) {
            // closed: the normal end
        } catch (IOException e) {
            throw new IllegalStateException("the relay failed", e);
        }
    }
}
