package io.metaroce.compliance.utp;

import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The application above an implementation, as the suite sees it. */
public interface Agent extends AutoCloseable {
    /**
     * Carries out one command.
     *
     * @param command name of the command
     * @param arguments its arguments, without {@code id} and {@code cmd}
     * @return the fields of the answer
     * @throws UtpException when the agent says no
     */
    ObjectNode call(String command, ObjectNode arguments);

    /** Events since the last call, in order. */
    List<JsonNode> events();

    @Override
    void close();
}
