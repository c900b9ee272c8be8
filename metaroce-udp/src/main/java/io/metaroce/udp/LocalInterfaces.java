package io.metaroce.udp;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** What this machine says of its network interfaces. Any thread; cold. */
final class LocalInterfaces {
    private static final long MBIT = 125_000;
    private static final long UNKNOWN_SPEED = 10_000 * MBIT;
    private static final long LOOPBACK_SPEED = 100_000 * MBIT;
    private static final Path SYS_NET = Path.of("/sys/class/net");

    private LocalInterfaces() {}

    /** Line rate of the interface that has {@code local}, in bytes per second. */
    static long lineRateBytesPerSecond(InetAddress local) {
        if (local.isLoopbackAddress()) {
            return LOOPBACK_SPEED;
        }
        NetworkInterface device = of(local);
        return device == null ? UNKNOWN_SPEED : speedOf(device.getName()).orElse(UNKNOWN_SPEED);
    }

    /** Speed of a device in bytes per second, when it tells one. */
    static OptionalLong speedOf(String device) {
        try {
            return parseSpeed(Files.readString(SYS_NET.resolve(device).resolve("speed")));
        } catch (IOException e) {
            // Not Linux, or a device without a speed: reading it fails with "invalid argument".
            return OptionalLong.empty();
        }
    }

    /** The kernel's text: Mbit/s, or -1 when the link is down. */
    static OptionalLong parseSpeed(String text) {
        try {
            long mbit = Long.parseLong(text.strip());
            return mbit > 0 ? OptionalLong.of(mbit * MBIT) : OptionalLong.empty();
        } catch (NumberFormatException e) {
            return OptionalLong.empty();
        }
    }

    /** Largest IP packet of the interface that has {@code local}, in bytes, when it is known. */
    static OptionalInt mtuBytes(InetAddress local) {
        NetworkInterface device = of(local);
        try {
            return device == null ? OptionalInt.empty() : OptionalInt.of(device.getMTU());
        } catch (SocketException e) {
            return OptionalInt.empty();
        }
    }

    /** Name of the interface that has {@code local}, or "unknown". */
    static String nameOf(InetAddress local) {
        NetworkInterface device = of(local);
        return device == null ? "unknown" : device.getName();
    }

    /** Addresses an endpoint can be bound to, with their interfaces: {@code eth0 10.0.0.5, lo 127.0.0.1}. */
    static String list() {
        try {
            List<String> found = new ArrayList<>();
            for (NetworkInterface device : NetworkInterface.networkInterfaces().toList()) {
                if (device.isUp()) {
                    for (InterfaceAddress address : device.getInterfaceAddresses()) {
                        found.add(device.getName() + " " + address.getAddress().getHostAddress());
                    }
                }
            }
            return String.join(", ", found);
        } catch (SocketException e) {
            return "unknown";
        }
    }

    private static @Nullable NetworkInterface of(InetAddress local) {
        try {
            NetworkInterface exact = NetworkInterface.getByInetAddress(local);
            // The whole of 127.0.0.0/8 is local, although only one address of it is listed.
            return exact == null && local.isLoopbackAddress()
                    ? NetworkInterface.getByInetAddress(InetAddress.getLoopbackAddress())
                    : exact;
        } catch (SocketException e) {
            return null;
        }
    }
}
