package io.metaroce.tools.lab;

import java.util.List;
import java.util.Map;

/** Something that can be done with a fabric and traffic, and what it measures. */
interface Experiment {
    /** Runs it once and answers with figures by name. */
    Map<String, Double> run(Knobs knobs, long seed);

    /** What the last run drew, if it draws anything. */
    default List<Series> series() {
        return List.of();
    }

    /** The experiment with this name, over the transport that the knobs ask for, with what happens to it. */
    static Experiment named(String name, Knobs knobs, List<Event> events) {
        boolean isRoce = knobs.isSet(RoceTraffic.ROCE);
        if (isRoce && !List.of("streams", "incast", "collective").contains(name)) {
            throw new IllegalArgumentException(name + " does not run over models of RoCEv2");
        }
        if (isRoce && (knobs.isSet("read") || knobs.isSet("warm") || knobs.isSet("size_sigma_percent"))) {
            throw new IllegalArgumentException(
                    "models of RoCEv2 do not have the knobs read, warm and size_sigma_percent: " + knobs);
        }
        if (!events.isEmpty()
                && (isRoce || !List.of("streams", "failure", "staircase").contains(name))) {
            throw new IllegalArgumentException(name + " does not let this happen to the fabric: " + events);
        }
        return switch (name) {
            case "message" -> new MessageExperiment();
            case "streams" -> isRoce ? new RoceStreamsExperiment() : new StreamsExperiment(events);
            case "failure" -> new FailureExperiment(events);
            case "staircase" -> new StaircaseExperiment(events);
            case "incast" -> isRoce ? new RoceIncastExperiment() : new IncastExperiment();
            case "sites" -> new SitesExperiment();
            case "collective" -> new CollectiveExperiment();
            default -> throw new IllegalArgumentException("no experiment is called " + name);
        };
    }
}
