package io.metaroce.verbs;

import io.metaroce.param.EndpointConfig;
import io.metaroce.udp.Cut;
import io.metaroce.udp.UdpConfig;
import io.metaroce.udp.UdpEndpoint;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;

/** Two endpoints on real sockets of the loopback interface. */
final class UdpWorld implements VerbsWorld {
    private final UdpEndpoint serverEndpoint;
    private final Device client;
    private final Device server;
    private final DatagramChannel silent;

    UdpWorld(EndpointConfig config) {
        try {
            silent = bound();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        client = Device.open(endpoint(config));
        serverEndpoint = endpoint(config);
        server = Device.open(serverEndpoint);
    }

    private static UdpEndpoint endpoint(EndpointConfig config) {
        return UdpEndpoint.bind(
                UdpConfig.builder().bind("127.0.0.1:0").settings(config).build());
    }

    private static DatagramChannel bound() throws IOException {
        return DatagramChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    private static String textOf(DatagramChannel channel) throws IOException {
        return "127.0.0.1:" + ((InetSocketAddress) channel.getLocalAddress()).getPort();
    }

    @Override
    public Device client() {
        return client;
    }

    @Override
    public Device server() {
        return server;
    }

    @Override
    public String serverAddress() {
        return server.address().toString();
    }

    @Override
    public String nobodysAddress() {
        try (DatagramChannel once = bound()) {
            return textOf(once);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String silentAddress() {
        try {
            return textOf(silent);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void serverFallsSilent() {
        serverEndpoint.faults().cut(Cut.plane(0));
    }

    @Override
    public void close() {
        client.close();
        server.close();
        try {
            silent.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
