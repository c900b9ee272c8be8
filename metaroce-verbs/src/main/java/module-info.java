/** Verbs over the engine: devices, protection domains, memory regions, completion queues, queue pairs, connections. */
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"}) // Micrometer has no module descriptor
module io.metaroce.verbs {
    requires transitive io.metaroce.core;
    requires org.slf4j;
    requires static java.management;
    requires static transitive micrometer.core;
    requires static transitive io.netty.buffer;
    requires static transitive io.netty.transport;
    requires static transitive org.jspecify;

    exports io.metaroce.async;
    exports io.metaroce.channel;
    exports io.metaroce.collective;
    exports io.metaroce.observe;
    exports io.metaroce.verbs;
}
