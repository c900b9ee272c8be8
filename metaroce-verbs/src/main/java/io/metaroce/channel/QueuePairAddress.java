package io.metaroce.channel;

import java.net.SocketAddress;

/** The end of a queue pair, for people. */
final class QueuePairAddress extends SocketAddress {
    private static final long serialVersionUID = 1;

    /** How it is shown. */
    private final String text;

    QueuePairAddress(String text) {
        this.text = text;
    }

    @Override
    public String toString() {
        return text;
    }
}
