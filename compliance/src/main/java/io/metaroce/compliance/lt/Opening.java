package io.metaroce.compliance.lt;

import io.metaroce.compliance.lt.codec.Packet;
import io.metaroce.compliance.spec.Json;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** How connections of a trial come about, asked for by either side. */
final class Opening {
    private final Trial trial;
    private boolean isOpen;

    Opening(Trial trial) {
        this.trial = trial;
    }

    /** Opens the endpoint of the implementation; once. */
    void endpoint() {
        if (!isOpen) {
            isOpen = true;
            List<String> addresses = new ArrayList<>();
            trial.call("ep_open", Json.object().put("planes", trial.wire().planes()))
                    .get("addresses")
                    .forEach(address -> addresses.add(address.asString()));
            trial.wire().iutAddresses(addresses);
        }
    }

    /** The same with more that the application asks for. */
    Peer connected(Peer peer, ObjectNode how) {
        endpoint();
        if (how.path("streams").asInt(1) > 1) {
            peer.streams(how.path("streams").asInt());
        }
        Seen request = requested(peer, how);
        Packet accept = peer.accept(request.packet());
        peer.established();
        trial.sendHandshake(accept);
        trial.effective(
                "connection established", trial.until(() -> trial.iut().states().contains("established")));
        boolean unused = trial.until(() -> trial.sent().named("CONN_CONFIRM").count() > 0);
        trial.run(trial.rttNs() * 2);
        return peer;
    }

    /** The implementation asks for a connection; its first request. */
    Seen requested(Peer peer, ObjectNode how) {
        endpoint();
        int before = trial.mark();
        ObjectNode answer = trial.call(
                "connect", how.put("to", trial.wire().testerAddress(0)).put("service", Peer.SERVICE));
        trial.iut().on(answer.get("conn").asInt());
        trial.effective(
                "request sent",
                trial.until(() -> !trial.since(before).named("CONN_REQ").isEmpty()));
        Seen request = trial.since(before).named("CONN_REQ").first().orElseThrow();
        peer.learn(request.packet(), true);
        return request;
    }

    /** The tester asks for a connection, and gets it. */
    Peer connects(Peer peer) {
        listen();
        Packet accept = asks(peer);
        trial.effective("connection accepted", accept.is("CONN_ACCEPT"));
        peer.learn(accept, false);
        peer.established();
        peer.send(peer.confirm());
        trial.effective(
                "connection established",
                trial.until(() -> trial.events().stream()
                        .anyMatch(event -> event.path("state").asString("").equals("established"))));
        trial.iut().on(trial.events().get(trial.events().size() - 1).get("conn").asInt());
        trial.run(trial.rttNs() * 2);
        return peer;
    }

    /** The implementation listens. */
    void listen() {
        if (!isOpen) {
            endpoint();
            trial.call("listen", Json.object().put("service", Peer.SERVICE));
        }
    }

    /** The tester asks for a connection, proves its address if need be, and returns the answer. */
    Packet asks(Peer peer) {
        int before = trial.mark();
        Packet request = peer.request(0x1234_5678_9ABC_0000L + peer.connId());
        trial.sendHandshake(request);
        String[] answers = {"CONN_RETRY", "CONN_ACCEPT", "CONN_REJECT", "VERSION_NEG"};
        trial.effective(
                "an answer to the request",
                trial.until(() -> !trial.since(before).named(answers).isEmpty()));
        Packet answer = trial.since(before).named(answers).first().orElseThrow().packet();
        if (!answer.is("CONN_RETRY")) {
            return answer;
        }
        int second = trial.mark();
        Packet proven = peer.request(answer);
        trial.sendHandshake(proven);
        String[] final_ = {"CONN_ACCEPT", "CONN_REJECT"};
        trial.effective(
                "an answer to the proven request",
                trial.until(() -> !trial.since(second).named(final_).isEmpty()));
        return trial.since(second).named(final_).first().orElseThrow().packet();
    }
}
