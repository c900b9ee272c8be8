package io.metaroce.tools.peers.added;

import io.metaroce.tools.peers.Peer;
import java.util.List;

/**
 * Aeron: one UDP channel, a media driver in each process. Streams: one to be counted, one for questions, one for
 * answers.
 */
final class AeronPeer implements Peer {
    static final int COUNTED = 1001;
    static final int QUESTIONS = 1002;
    static final int ANSWERS = 1003;

    private final String name;
    private final int mtuBytes;

    AeronPeer(String name, int mtuBytes) {
        this.name = name;
        this.mtuBytes = mtuBytes;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String about() {
        return "Aeron, datagrams of " + mtuBytes + " B, driver, client and test on one thread (INVOKER), windows and"
                + " socket buffers of 4 MiB, terms of 16 MiB, up to 16 messages a send, 256 resends at once";
    }

    /** As Agrona asks for. */
    @Override
    public List<String> javaOptions() {
        return List.of(
                "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
                "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
                "-Daeron.network.publication.max.messages.per.send=16",
                "-Dagrona.disable.bounds.checks=true",
                "-Daeron.term.buffer.sparse.file=false");
    }

    @Override
    public Receiver serve(String host) {
        return new AeronFar(AeronLoop.start(mtuBytes), host);
    }

    @Override
    public Sender connect(String host, String remote) {
        return new AeronNear(AeronLoop.start(mtuBytes), host, remote, mtuBytes);
    }

    /** A channel to or at {@code endpoint}. */
    static String channel(String endpoint) {
        return "aeron:udp?endpoint=" + endpoint;
    }

    /** The same with little memory, for messages that go there and back. */
    static String smallChannel(String endpoint) {
        return channel(endpoint) + "|term-length=1m";
    }
}
