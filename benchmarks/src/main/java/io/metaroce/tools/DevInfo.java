package io.metaroce.tools;

import io.metaroce.udp.UdpConfig;
import io.metaroce.udp.UdpEndpoint;
import io.metaroce.verbs.Device;
import io.metaroce.verbs.DeviceAttributes;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What this machine offers: addresses, and what sockets on them can do. */
@Command(
        name = "devinfo",
        description = "Lists local addresses and what sockets on them can do; in the layout of ibv_devinfo.",
        mixinStandardHelpOptions = true)
final class DevInfo implements Callable<Integer> {
    @Option(
            names = {"-l", "--list"},
            description = "Only the addresses.")
    private boolean listOnly;

    @Option(
            names = {"-v", "--verbose"},
            description = "Also the limits, and why an interface was left out.")
    private boolean verbose;

    @Option(
            names = {"-d", "--dev"},
            description = "Only this interface.")
    private String device = "";

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        boolean any = false;
        for (NetworkInterface nic : Collections.list(NetworkInterface.getNetworkInterfaces())) {
            if (!device.isEmpty() && !device.equals(nic.getName())) {
                continue;
            }
            String obstacle = obstacle(nic);
            if (!obstacle.isEmpty()) {
                if (verbose) {
                    row(out, "left out %s: %s", nic.getName(), obstacle);
                }
                continue;
            }
            for (InterfaceAddress address : nic.getInterfaceAddresses()) {
                any |= describe(out, nic, address.getAddress());
            }
        }
        if (!any) {
            throw new IOException("no usable interface" + (device.isEmpty() ? "" : " named " + device));
        }
        return 0;
    }

    private boolean describe(PrintWriter out, NetworkInterface nic, InetAddress address) throws IOException {
        if (listOnly) {
            row(out, "%s\t%s", nic.getName(), address.getHostAddress());
            return true;
        }
        row(out, "hca_id:\t%s", nic.getName());
        try (UdpEndpoint endpoint = UdpEndpoint.bind(UdpConfig.on(Local.join(address.getHostAddress(), 0)));
                Device opened = Device.open(endpoint)) {
            DeviceAttributes limits = opened.attributes();
            row(out, "\ttransport:\t\t\tMetaRoCE over UDP (open draft 1)");
            row(out, "\tnode_guid:\t\t\t%s", endpoint.localAddress());
            row(out, "\tengine:\t\t\t\t%s", endpoint.capabilities().engine());
            row(out, "\tsegmented_sends:\t\t%s", endpoint.capabilities().segmentation());
            row(out, "\tcoalesced_receives:\t\t%s", endpoint.capabilities().coalescing());
            row(out, "\tcongestion_marks:\t\t%s", endpoint.capabilities().congestionMarks());
            row(out, "\treceive_buffer:\t\t\t%s", ByteSize.format(endpoint.receiveBufferBytes()));
            row(out, "\tnet.core.rmem_max:\t\t%s", limit("/proc/sys/net/core/rmem_max"));
            row(out, "\tnet.core.wmem_max:\t\t%s", limit("/proc/sys/net/core/wmem_max"));
            row(out, "\tline_rate:\t\t\t%.1f Gb/s", endpoint.config().rate().outboundBytesPerSecond() * 8 / 1e9);
            row(out, "\tencryption:\t\t\tAEAD-1 (AES-128-GCM) with a pre-shared key; else CRC32C in clear");
            row(out, "\tphys_port_cnt:\t\t\t1");
            row(out, "\t\tport:\t1");
            row(out, "\t\t\tstate:\t\t\tPORT_ACTIVE (4)");
            row(out, "\t\t\tmax_mtu:\t\t%d", nic.getMTU());
            row(out, "\t\t\tactive_mtu:\t\t%d", limits.payloadBytes());
            row(out, "\t\t\tpaths:\t\t\t%d", limits.pathsMax());
            row(out, "\t\t\tsource_ports:\t\t%d", endpoint.config().limits().sourcePorts());
            if (verbose) {
                row(out, "\tmax_qp (streams a connection):\t%d", limits.streamsMax());
                row(out, "\tmax_connections:\t\t%d", limits.connectionsMax());
                row(out, "\tmax_mr:\t\t\t\t%d", limits.regionsMax());
                row(out, "\tmax_qp_wr:\t\t\t%d", limits.queueDepthMax());
                row(out, "\tmax_sge:\t\t\t%d", limits.sgeMax());
                row(out, "\tmax_msg_sz:\t\t\t%d", limits.messageBytesMax());
                row(out, "\tmax_inline_data:\t\t%d", limits.inlineBytesMax());
            }
            row(out, "");
            return true;
        } catch (IllegalArgumentException | IllegalStateException e) {
            row(out, "\tunusable: %s", String.valueOf(e.getMessage()));
            return false;
        }
    }

    private static String obstacle(NetworkInterface nic) throws IOException {
        if (!nic.isUp()) {
            return "it is down";
        }
        List<InterfaceAddress> addresses = nic.getInterfaceAddresses();
        return addresses.isEmpty() ? "it has no address" : "";
    }

    private static String limit(String file) {
        // In one read: such a file has nothing to say to a second one.
        try (InputStream in = Files.newInputStream(Path.of(file))) {
            byte[] text = new byte[64];
            int length = in.read(text);
            return ByteSize.format(Long.parseLong(new String(text, 0, length, StandardCharsets.US_ASCII).trim()));
        } catch (IOException | NumberFormatException e) {
            return "unknown on this system";
        }
    }

    private static void row(PrintWriter out, String format, Object... values) {
        out.println(String.format(Locale.ROOT, format, values));
    }
}
