package io.metaroce.udp;

import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * A host and perhaps a port, as people write them: {@code host}, {@code host:port}, {@code 10.0.0.1:5000}, {@code ::1},
 * {@code [::1]:5000}, {@code [fe80::1%eth0]:5000}.
 *
 * @param host name or literal address, without brackets
 * @param port 0..65535, or {@link #NONE}
 */
record HostPort(String host, int port) {
    /** The text named no port. */
    static final int NONE = -1;

    private static final String FORMS = "; write host, host:port, v6-address or [v6-address]:port";

    /**
     * Takes the text apart.
     *
     * @throws IllegalArgumentException when it has none of the known forms; the message says what is wrong with it
     */
    static HostPort parse(String text) {
        String trimmed = text.strip();
        if (trimmed.isEmpty()) {
            throw new IllegalArgumentException("the address is empty" + FORMS);
        }
        if (trimmed.startsWith("[")) {
            return bracketed(trimmed);
        }
        int first = trimmed.indexOf(':');
        if (first < 0 || trimmed.indexOf(':', first + 1) >= 0) {
            return new HostPort(trimmed, NONE);
        }
        if (first == 0) {
            throw new IllegalArgumentException("the address \"" + text + "\" names no host" + FORMS);
        }
        return new HostPort(trimmed.substring(0, first), port(trimmed.substring(first + 1), text));
    }

    private static HostPort bracketed(String text) {
        int end = text.indexOf(']');
        if (end < 0) {
            throw new IllegalArgumentException(
                    "the address \"" + text + "\" opens a bracket and never closes it" + FORMS);
        }
        String host = text.substring(1, end);
        String rest = text.substring(end + 1);
        if (host.isEmpty()) {
            throw new IllegalArgumentException("the address \"" + text + "\" names no host" + FORMS);
        }
        if (rest.isEmpty()) {
            return new HostPort(host, NONE);
        }
        if (!rest.startsWith(":")) {
            throw new IllegalArgumentException(
                    "the address \"" + text + "\" has \"" + rest + "\" after the bracket" + FORMS);
        }
        return new HostPort(host, port(rest.substring(1), text));
    }

    private static int port(String digits, String text) {
        int port;
        try {
            port = Integer.parseInt(digits);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "the port \"" + digits + "\" of the address \"" + text + "\" is not a number", e);
        }
        if (port < 0 || port > 0xFFFF) {
            throw new IllegalArgumentException(
                    "the port " + port + " of the address \"" + text + "\" is outside 0..65535");
        }
        return port;
    }

    /** The port, or {@code otherwise} when the text named none. */
    int portOr(int otherwise) {
        return port == NONE ? otherwise : port;
    }

    /**
     * Every address the host has; asks the name service when it is a name.
     *
     * @throws IllegalArgumentException when the name is unknown
     */
    InetAddress[] addresses() {
        try {
            return InetAddress.getAllByName(host);
        } catch (UnknownHostException e) {
            boolean isLiteral = host.indexOf(':') >= 0 || host.matches("[0-9.]+");
            throw new IllegalArgumentException(
                    isLiteral
                            ? "\"" + host + "\" is not an IP address, or its scope is not an interface of this machine"
                            : "the host name \"" + host + "\" is unknown to the name service",
                    e);
        }
    }
}
