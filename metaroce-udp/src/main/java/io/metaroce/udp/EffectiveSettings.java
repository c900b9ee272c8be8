package io.metaroce.udp;

import io.metaroce.param.EndpointConfig;
import io.metaroce.param.RateConfig;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Fits the settings of the protocol to the machine: line rate, receive buffers, MTU. */
final class EffectiveSettings {
    private static final Logger LOG = LoggerFactory.getLogger("io.metaroce.udp");

    private static final int[] PAYLOADS = {8192, 4096, 2048, 1024};
    // Headers and options of a data packet with its trailer or its encryption, generously; then UDP and IP.
    private static final int PACKET_OVERHEAD = 96;
    private static final int UDP_HEADER = 8;
    private static final int IPV4_HEADER = 20;
    private static final int IPV6_HEADER = 40;

    private EffectiveSettings() {}

    /** The settings an endpoint on these sockets runs with. */
    static EndpointConfig of(UdpConfig config, List<ServiceSocket> planes, Capabilities capabilities, int shards) {
        EndpointConfig settings = config.settings();
        int ports = Math.max(settings.limits().sourcePorts() / shards, 1);
        return settings.withLimits(settings.limits().withSourcePorts(ports))
                .withRate(rate(config, settings.rate(), planes, shards)
                        .withReadsMarks(capabilities.congestionMarks().isOn()))
                .withConnection(settings.connection()
                        .withPayloadBytes(payloadBytes(settings.connection().payloadBytes(), planes)));
    }

    private static RateConfig rate(UdpConfig config, RateConfig asked, List<ServiceSocket> planes, int shards) {
        long outbound = asked.outboundBytesPerSecond();
        long inbound = asked.inboundBytesPerSecond();
        if (config.lineRateBytesPerSecond().isPresent()) {
            outbound = config.lineRateBytesPerSecond().getAsLong();
            inbound = outbound;
        } else if (config.lineRate() == UdpConfig.LineRate.INTERFACE) {
            outbound = lineRate(planes);
            inbound = outbound;
        }
        long bufferBytes = 0;
        for (ServiceSocket plane : planes) {
            bufferBytes += plane.receiveBufferBytes();
        }
        // Loops at one address share what comes in: each grants its part, for none knows what the others grant.
        long part = Math.max(inbound / shards, RateConfig.RATE_MIN);
        // A receiver that cannot buffer what it grants must grant less.
        return asked.withLineRate(outbound, Math.min(part, SocketBuffers.inboundBoundBytesPerSecond(bufferBytes)));
    }

    /** Planes on one interface share its speed. */
    private static long lineRate(List<ServiceSocket> planes) {
        Set<String> devices = new HashSet<>();
        long sum = 0;
        for (ServiceSocket plane : planes) {
            if (devices.add(LocalInterfaces.nameOf(plane.local()))) {
                sum += LocalInterfaces.lineRateBytesPerSecond(plane.local());
            }
        }
        return sum;
    }

    private static int payloadBytes(int asked, List<ServiceSocket> planes) {
        int fitting = asked;
        for (ServiceSocket plane : planes) {
            InetAddress local = plane.local();
            int mtu = LocalInterfaces.mtuBytes(local).orElse(Integer.MAX_VALUE);
            int payload = payloadFor(fitting, mtu, local);
            if (payload < fitting) {
                LOG.info(
                        "packets with {} bytes of payload do not fit the MTU of {} bytes of {}: using {}",
                        fitting,
                        mtu,
                        LocalInterfaces.nameOf(local),
                        payload);
                fitting = payload;
            }
        }
        return fitting;
    }

    /** The largest legal payload, at most {@code asked}, whose packets fit the MTU; 1024 if none does. */
    static int payloadFor(int asked, int mtuBytes, InetAddress local) {
        int overhead = PACKET_OVERHEAD + UDP_HEADER + (local instanceof Inet6Address ? IPV6_HEADER : IPV4_HEADER);
        for (int payload : PAYLOADS) {
            if (payload <= asked && payload <= mtuBytes - overhead) {
                return payload;
            }
        }
        return PAYLOADS[PAYLOADS.length - 1];
    }
}
