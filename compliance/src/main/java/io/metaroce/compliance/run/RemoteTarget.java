package io.metaroce.compliance.run;

import io.metaroce.compliance.lt.UdpWire;
import io.metaroce.compliance.spec.Json;
import io.metaroce.compliance.utp.Agent;
import io.metaroce.compliance.utp.RemoteAgent;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** An implementation in another process, over real sockets. Honesty probes come first. */
public final class RemoteTarget implements Target, AutoCloseable {
    private final String name;
    private final RemoteAgent agent;
    private final JsonNode about;

    /** Asks the agent who it is. */
    public RemoteTarget(String name, RemoteAgent agent) {
        this.name = name;
        this.agent = agent;
        about = agent.call("hello", Json.object().put("utp", 1));
        Probes.ask(agent);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public JsonNode about() {
        return about;
    }

    @Override
    public String clock() {
        return "udp";
    }

    @Override
    public Session open(long seed, int planes) {
        agent.call("reset", Json.object());
        agent.forgetEvents();
        Agent shared = new Agent() {
            @Override
            public ObjectNode call(String command, ObjectNode arguments) {
                return agent.call(command, arguments);
            }

            @Override
            public List<JsonNode> events() {
                return agent.events();
            }

            @Override
            public void close() {}
        };
        return new Session(new UdpWire(planes), shared);
    }

    @Override
    public void close() {
        agent.close();
    }
}
