/** Verbs over the engine: devices, protection domains, memory regions, completion queues, queue pairs, connections. */
@SuppressWarnings("requires-automatic") // Micrometer has no module descriptor
module io.metaroce.verbs {
    requires transitive io.metaroce.core;
    requires org.slf4j;
    requires static java.management;
    // Not transitive: who does not use the adapters does not need what they adapt to.
    requires static io.netty.buffer;
    requires static io.netty.common;
    requires static io.netty.transport;
    requires static micrometer.core;
    requires static transitive org.jspecify;

    exports io.metaroce.async;
    exports io.metaroce.channel;
    exports io.metaroce.collective;
    exports io.metaroce.observe;
    exports io.metaroce.verbs;
}
