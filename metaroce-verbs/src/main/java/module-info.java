/** Verbs over the engine: devices, protection domains, memory regions, completion queues, queue pairs, connections. */
module io.metaroce.verbs {
    requires transitive io.metaroce.core;
    requires org.slf4j;
    requires static transitive org.jspecify;

    exports io.metaroce.collective;
    exports io.metaroce.verbs;
}
