package io.metaroce.compliance.adapter;

import io.metaroce.datagram.Address;
import io.metaroce.engine.EndpointHost;
import io.metaroce.param.EndpointConfig;
import io.metaroce.param.Profiles;
import io.metaroce.udp.UdpConfig;
import io.metaroce.udp.UdpEndpoint;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.util.List;

/** Endpoints on real sockets of the loopback interface. Thread rule: the agent's thread. */
public final class UdpHosts implements EngineAgent.Hosts {
    /** Where endpoints come from. */
    public UdpHosts() {}

    @Override
    public List<String> capabilities() {
        return List.of();
    }

    @Override
    public EndpointConfig base() {
        return Profiles.udp();
    }

    @Override
    public EndpointHost open(EndpointConfig config, int planes) {
        String[] addresses = new String[planes];
        for (int plane = 0; plane < planes; plane++) {
            String host = "127.0.0." + (1 + plane);
            try (DatagramSocket free = new DatagramSocket(new InetSocketAddress(host, 0))) {
                addresses[plane] = host + ":" + free.getLocalPort();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return UdpEndpoint.bind(UdpConfig.builder()
                .bind(addresses)
                .settings(config)
                .lineRateBytesPerSecond(Math.min(
                        config.rate().outboundBytesPerSecond(), config.rate().inboundBytesPerSecond()))
                .build());
    }

    @Override
    public List<String> addresses(EndpointHost host) {
        return ((UdpEndpoint) host)
                .localAddresses().stream().map(Address::toString).toList();
    }

    @Override
    public void plane(EndpointHost host, int plane, boolean isUp) {
        host.commands().offer((nowNs, endpoint) -> {
            if (isUp) {
                endpoint.planeUp(nowNs, plane);
            } else {
                endpoint.planeDown(nowNs, plane);
            }
        });
        host.doorbells().wake();
    }

    @Override
    public long nowNs() {
        return System.nanoTime();
    }
}
