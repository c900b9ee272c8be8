package io.metaroce.compliance.adapter;

import io.metaroce.datagram.Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;

/** Addresses as text: {@code a.b.c.d:port} or {@code [v6]:port}. */
public final class Addresses {
    private Addresses() {}

    /**
     * Parses an address.
     *
     * @throws IllegalArgumentException when it is none; names are not looked up
     */
    public static Address parse(String text) {
        int colon = text.lastIndexOf(':');
        if (colon < 1) {
            throw wrong(text);
        }
        int port = number(text, text.substring(colon + 1), 0xFFFF);
        String host = text.substring(0, colon);
        return host.startsWith("[") && host.endsWith("]")
                ? ipv6(text, host.substring(1, host.length() - 1), port)
                : ipv4(text, host, port);
    }

    private static Address ipv4(String text, String host, int port) {
        String[] parts = host.split("\\.", -1);
        if (parts.length != 4) {
            throw wrong(text);
        }
        int bits = 0;
        for (String part : parts) {
            bits = (bits << 8) | number(text, part, 255);
        }
        return Address.ipv4(bits, port);
    }

    private static Address ipv6(String text, String host, int port) {
        if (!host.contains(":") || !host.matches("[0-9a-fA-F:.]+")) {
            throw wrong(text); // only literals: whatever has a colon is never looked up
        }
        try {
            ByteBuffer bits = ByteBuffer.wrap(InetAddress.getByName(host).getAddress());
            return bits.capacity() == 16
                    ? Address.ipv6(bits.getLong(0), bits.getLong(8), port)
                    : ipv4(text, host, port);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(text + " is no address", e);
        }
    }

    private static int number(String text, String digits, int max) {
        if (!digits.matches("\\d{1,5}") || Integer.parseInt(digits) > max) {
            throw wrong(text);
        }
        return Integer.parseInt(digits);
    }

    private static IllegalArgumentException wrong(String text) {
        return new IllegalArgumentException(text + " is not of the form a.b.c.d:port or [v6]:port");
    }
}
