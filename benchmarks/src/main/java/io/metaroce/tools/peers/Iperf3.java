package io.metaroce.tools.peers;

import io.metaroce.tools.peers.Contender.Reading;
import io.metaroce.tools.peers.Contender.Test;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** iperf3 over TCP, or over UDP, of which it repairs nothing. */
final class Iperf3 implements Instrument {
    private static final JsonMapper MAPPER = new JsonMapper();
    private static final String DATAGRAM_BYTES = "8192";

    private final boolean isUdp;

    Iperf3(boolean isUdp) {
        this.isUdp = isUdp;
    }

    @Override
    public String name() {
        return isUdp ? "iperf3-udp" : "iperf3-tcp";
    }

    @Override
    public String about() {
        return isUdp
                ? "iperf3 over UDP, datagrams of " + DATAGRAM_BYTES + " B, as fast as it can; what arrived"
                : "iperf3 over TCP, one connection, " + Tcp.congestionControl() + "; small messages with TCP_NODELAY";
    }

    @Override
    public String program() {
        return "iperf3";
    }

    @Override
    public String origin() {
        return "the package iperf3";
    }

    @Override
    public boolean repairs() {
        return !isUdp;
    }

    @Override
    public boolean has(Test test) {
        return test != Test.PING;
    }

    @Override
    public boolean isTimed() {
        return true;
    }

    @Override
    public List<String> server(Test test, Place far, int port, Amount amount) {
        return List.of("iperf3", "-s", "-1", "-B", far.host(), "-p", port + "");
    }

    @Override
    public List<String> client(Test test, Place near, Place far, int port, Amount amount) {
        List<String> words = new ArrayList<>(
                List.of("iperf3", "-c", far.host(), "-p", port + "", "-t", amount.seconds() + "", "-J"));
        if (isUdp) {
            words.addAll(List.of("-u", "-b", "0"));
        }
        if (test == Test.SMALL) {
            words.addAll(List.of("-l", Peer.SMALL_BYTES + ""));
            words.addAll(isUdp ? List.of() : List.of("-N"));
        } else if (isUdp) {
            words.addAll(List.of("-l", DATAGRAM_BYTES));
        }
        return words;
    }

    @Override
    public Reading read(Test test, Amount amount, String printed) throws IOException {
        try {
            JsonNode received = MAPPER.readTree(printed).at("/end/sum_received");
            if (received.isMissingNode()) {
                throw new IOException("iperf3 printed no sum of what was received");
            }
            return Reading.flow(
                    received.get("bytes").asDouble(), received.get("seconds").asDouble(), Double.NaN);
        } catch (JacksonException e) {
            throw new IOException("iperf3 printed no result", e);
        }
    }
}
