/** Tools, measurements, micro-benchmarks. An application, not a library: nothing is exported. */
@SuppressWarnings("requires-automatic") // HdrHistogram and JMH bring no module descriptor of their own
module io.metaroce.benchmarks {
    requires io.metaroce.core;
    requires io.metaroce.udp;
    requires io.metaroce.verbs;
    requires com.samskivert.jmustache;
    requires HdrHistogram;
    requires info.picocli;
    requires io.netty.buffer;
    requires io.netty.common;
    requires io.netty.transport;
    requires io.netty.transport.classes.epoll;
    requires io.netty.transport.unix.common;
    requires java.management;
    requires java.rmi;
    requires jdk.attach;
    requires jdk.management;
    requires jmh.core;
    requires static org.jspecify;
    requires tools.jackson.databind;

    opens io.metaroce.tools to
            info.picocli;
    opens io.metaroce.tools.group to
            info.picocli;
    opens io.metaroce.tools.peers to
            info.picocli;
    opens io.metaroce.tools.perf to
            info.picocli;

    uses io.metaroce.tools.peers.PeerSource;
}
