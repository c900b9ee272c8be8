package io.metaroce.tools;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** Which local address to use. */
public final class Local {
    private static final int ANY_PORT = 9;

    private Local() {}

    /** The address of this machine that leads to {@code host}; found by routing, without sending anything. */
    public static String addressTowards(String host) {
        try (DatagramSocket probe = new DatagramSocket()) {
            probe.connect(new InetSocketAddress(InetAddress.getByName(hostOf(host)), ANY_PORT));
            return probe.getLocalAddress().getHostAddress();
        } catch (IOException e) {
            throw new IllegalArgumentException("'" + host + "' is not an address this machine knows a way to", e);
        }
    }

    /** Address and port in one text; IPv6 in brackets. */
    public static String join(String address, int port) {
        String bare = hostOf(address);
        return bare.indexOf(':') >= 0 ? "[" + bare + "]:" + port : bare + ":" + port;
    }

    private static String hostOf(String text) {
        return text.startsWith("[") && text.indexOf(']') > 0 ? text.substring(1, text.indexOf(']')) : text;
    }
}
