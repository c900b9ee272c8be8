package io.metaroce.compliance.adapter;

import io.metaroce.compliance.run.Target;
import io.metaroce.compliance.spec.Json;
import io.metaroce.param.EndpointConfig;
import io.metaroce.param.Profiles;
import tools.jackson.databind.JsonNode;

/** The engine of this project in virtual time, in this process. Thread rule: the thread of the run. */
public final class SelfTarget implements Target {
    private final EndpointConfig base = Profiles.model();
    private final JsonNode about;

    /** The engine with the settings of the profile {@code model}. */
    public SelfTarget() {
        try (EngineAgent agent = new EngineAgent(new VirtualWire(base, 1, 1))) {
            about = agent.call("hello", Json.object().put("utp", 1));
        }
    }

    @Override
    public String name() {
        return "self";
    }

    @Override
    public JsonNode about() {
        return about;
    }

    @Override
    public String clock() {
        return "vtime";
    }

    @Override
    public Session open(long seed, int planes) {
        VirtualWire wire = new VirtualWire(base, seed, planes);
        return new Session(wire, new EngineAgent(wire));
    }
}
