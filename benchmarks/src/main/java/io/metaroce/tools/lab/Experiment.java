package io.metaroce.tools.lab;

import java.util.List;
import java.util.Map;

/** Something that can be done with a fabric and traffic, and what it measures. */
interface Experiment {
    /** Name of the figure every experiment gives besides its own: simulated packets handed to NICs. */
    String PACKETS = "packets";
    /** Name of the figure with the lower 48 bits of the trace hash: equal runs have equal ones. */
    String TRACE = "trace48";

    /** Runs it once and answers with figures by name. */
    Map<String, Double> run(Knobs knobs, long seed);

    /** The experiment with this name, over the transport that the knobs ask for, with what happens to it. */
    static Experiment named(String name, Knobs knobs, List<Event> events) {
        return switch (name) {
            case "message" -> new MessageExperiment();
            case "streams" ->
                knobs.get(RoceStreamsExperiment.ROCE, 0) > 0 ? new RoceStreamsExperiment() : new StreamsExperiment();
            case "failure" -> new FailureExperiment(events);
            case "incast" -> new IncastExperiment();
            default -> throw new IllegalArgumentException("no experiment is called " + name);
        };
    }

    /** What every experiment tells besides. */
    static void common(Map<String, Double> figures, LabFabric fabric) {
        figures.put(PACKETS, (double) fabric.world().conservation().sentPackets());
        figures.put(TRACE, (double) (fabric.world().trace().value() >>> 16));
    }
}
