package io.metaroce.tools.peers;

import io.metaroce.tools.peers.Contender.Reading;
import io.metaroce.tools.peers.Contender.Test;
import java.io.IOException;
import java.util.List;

/** ucx_perftest over UCX's TCP, with messages that are matched by tag. */
final class UcxPerftest implements Instrument {
    private static final double MICROSECOND_NS = 1e3;
    private static final double MICROSECONDS = 1e6;

    @Override
    public String name() {
        return "ucx-tcp";
    }

    @Override
    public String about() {
        return "UCX over TCP (" + Tcp.congestionControl() + ") by ucx_perftest: tag_bw of 1 MiB and of 64 B, tag_lat";
    }

    @Override
    public String program() {
        return "ucx_perftest";
    }

    @Override
    public String origin() {
        return "the package ucx-utils";
    }

    @Override
    public boolean repairs() {
        return true;
    }

    @Override
    public boolean has(Test test) {
        return true;
    }

    @Override
    public boolean isTimed() {
        return false;
    }

    @Override
    public List<String> server(Test test, Place far, int port, Amount amount) {
        return List.of("env", "UCX_TLS=tcp", "UCX_NET_DEVICES=" + far.device(), "ucx_perftest", "-p", port + "");
    }

    @Override
    public List<String> client(Test test, Place near, Place far, int port, Amount amount) {
        return List.of(
                "env",
                "UCX_TLS=tcp",
                "UCX_NET_DEVICES=" + near.device(),
                "ucx_perftest",
                far.host(),
                "-p",
                port + "",
                "-t",
                test == Test.PING ? "tag_lat" : "tag_bw",
                "-s",
                Instrument.bytes(test) + "",
                "-n",
                amount.messages() + "",
                "-w",
                "4",
                "-f",
                "-v");
    }

    /** Two lines: names of columns, values. A latency is half a round trip, in us. */
    @Override
    public Reading read(Test test, Amount amount, String printed) throws IOException {
        Columns columns = Columns.read(printed, ",", "overall_lat");
        if (test == Test.PING) {
            return Reading.roundTrips(columns.value("percentile_lat") * MICROSECOND_NS, Double.NaN);
        }
        double seconds = columns.value("overall_lat") / MICROSECONDS * amount.messages();
        return Reading.flow((double) amount.messages() * Instrument.bytes(test), seconds, Double.NaN);
    }
}
