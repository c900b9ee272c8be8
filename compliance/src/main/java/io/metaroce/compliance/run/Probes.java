package io.metaroce.compliance.run;

import io.metaroce.compliance.spec.Json;
import io.metaroce.compliance.utp.Agent;
import io.metaroce.compliance.utp.UtpException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Questions whose answers are known: an agent that gets them wrong is believed nothing else. */
public final class Probes {
    private static final int BYTES = 64;
    private static final int ODD = 40;

    private Probes() {}

    /**
     * Asks an agent, and leaves it as after {@code reset}.
     *
     * @throws UtpException with code E_PROTOCOL when it does not tell the truth
     */
    public static void ask(Agent agent) {
        refuses(agent);
        ObjectNode unused = agent.call("reset", Json.object());
        unused = agent.call("ep_open", Json.object().put("planes", 1));
        ObjectNode wanted = Json.object().put("len", BYTES).put("pd", 0);
        wanted.putArray("access").add("local_write").add("remote_write");
        int region = agent.call("mr_reg", wanted).path("mr").asInt();
        unused = agent.call("mr_fill", bytes(region, 0, BYTES, 1));
        JsonNode same = agent.call("mr_check", bytes(region, 0, BYTES, 1));
        demand(same.path("same").asBoolean(false), "it does not find the bytes it was told to write");
        unused = agent.call("mr_fill", bytes(region, ODD, 1, 2));
        JsonNode odd = agent.call("mr_check", bytes(region, 0, BYTES, 1));
        demand(!odd.path("same").asBoolean(true), "it says yes to bytes that differ");
        boolean isExact = odd.path("off").asInt() == ODD
                && odd.path("exp").asInt() == 1
                && odd.path("got").asInt() == 2;
        demand(isExact, "it does not say where bytes differ, and how");
        unused = agent.call("reset", Json.object());
    }

    private static void refuses(Agent agent) {
        try {
            ObjectNode unused = agent.call("no_such_command", Json.object());
        } catch (UtpException e) {
            demand(e.code().equals("E_UNSUPPORTED"), "it refuses an unknown command with " + e.code());
            return;
        }
        demand(false, "it says yes to an unknown command");
    }

    private static ObjectNode bytes(int region, int offset, int length, int value) {
        return Json.object()
                .put("mr", region)
                .put("off", offset)
                .put("len", length)
                .put("byte", value);
    }

    private static void demand(boolean isSo, String otherwise) {
        if (!isSo) {
            throw new UtpException("E_PROTOCOL", "the agent is not to be believed: " + otherwise);
        }
    }
}
