/**
 * The engine: codec, paths, congestion control, streams, memory, queues, and the simulator that drives them in virtual
 * time. No I/O, no clock, no thread.
 */
@SuppressWarnings("module") // the compliance module is not there yet when this one compiles
module io.metaroce.core {
    requires org.jctools.core.jdk11;
    requires static transitive org.jspecify;

    exports io.metaroce.num;
    exports io.metaroce.param;
    exports io.metaroce.datagram;
    exports io.metaroce.wire;
    exports io.metaroce.wire.model;
    exports io.metaroce.memory;
    exports io.metaroce.queue;
    exports io.metaroce.trace;
    exports io.metaroce.engine;
    exports io.metaroce.capture;
    exports io.metaroce.sim;
    exports io.metaroce.sim.light;
    exports io.metaroce.sim.roce;
    exports io.metaroce.sim.swarm;
    exports io.metaroce.state to
            io.metaroce.compliance,
            io.metaroce.benchmarks;
    exports io.metaroce.path to
            io.metaroce.compliance,
            io.metaroce.benchmarks;
    exports io.metaroce.rate to
            io.metaroce.compliance,
            io.metaroce.benchmarks;
    exports io.metaroce.connection to
            io.metaroce.compliance,
            io.metaroce.benchmarks;
    exports io.metaroce.message to
            io.metaroce.compliance,
            io.metaroce.benchmarks;
}
