package io.metaroce.compliance.run;

import io.metaroce.compliance.lt.Wire;
import io.metaroce.compliance.utp.Agent;
import tools.jackson.databind.JsonNode;

/** An implementation under test: where wires and agents come from. */
public interface Target {
    /** Its name, for reports. */
    String name();

    /** The answer to hello: identity, capabilities, parameters. */
    JsonNode about();

    /** Which clock it runs by: {@code vtime} or {@code udp}. */
    String clock();

    /** A fresh wire and an agent in the state of power-on. */
    Session open(long seed, int planes);

    /**
     * What one trial uses.
     *
     * @param wire the network
     * @param agent the application
     */
    record Session(Wire wire, Agent agent) implements AutoCloseable {
        @Override
        public void close() {
            agent.close();
            wire.close();
        }
    }
}
