/** Endpoints on real sockets: Netty epoll on Linux, NIO elsewhere. */
module io.metaroce.udp {
    requires transitive io.metaroce.core;
    requires transitive io.netty.transport;
    requires io.netty.buffer;
    requires io.netty.common;
    requires io.netty.transport.classes.epoll;
    requires io.netty.transport.unix.common;
    requires org.slf4j;
    requires static jdk.jfr;
    requires static transitive org.jspecify;

    exports io.metaroce.udp;
}
