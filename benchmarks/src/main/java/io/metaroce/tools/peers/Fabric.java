package io.metaroce.tools.peers;

import io.metaroce.tools.peers.Contender.Reading;
import io.metaroce.tools.peers.Contender.Test;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** libfabric's reliable datagrams over UDP (rxd), by its ping-pong or by its stream of writes. */
final class Fabric implements Instrument {
    private static final double MICROSECOND_NS = 1e3;
    private static final double MICROSECONDS = 1e6;
    private static final List<String> PROVIDER = List.of("-p", "udp;ofi_rxd", "-e", "rdm");

    private final boolean isWrites;

    Fabric(boolean isWrites) {
        this.isWrites = isWrites;
    }

    @Override
    public String name() {
        return isWrites ? "rxd-writes" : "rxd";
    }

    @Override
    public String about() {
        return "libfabric udp;ofi_rxd by " + program()
                + (isWrites ? ": writes of 1 MiB and of 64 B" : ": messages of 1 MiB and of 64 B there and back");
    }

    @Override
    public String program() {
        return isWrites ? "fi_rma_bw" : "fi_pingpong";
    }

    @Override
    public String origin() {
        return isWrites ? "libfabric's fabtests" : "the package libfabric-bin";
    }

    @Override
    public boolean repairs() {
        return true;
    }

    @Override
    public boolean has(Test test) {
        return test == Test.BULK || isWrites == (test == Test.SMALL);
    }

    @Override
    public boolean isTimed() {
        return false;
    }

    @Override
    public List<String> server(Test test, Place far, int port, Amount amount) {
        List<String> words = words(test, amount);
        words.addAll(List.of("-B", port + ""));
        words.addAll(isWrites ? List.of("-s", far.host()) : List.of());
        return words;
    }

    @Override
    public List<String> client(Test test, Place near, Place far, int port, Amount amount) {
        List<String> words = words(test, amount);
        words.addAll(List.of("-P", port + "", far.host()));
        return words;
    }

    private List<String> words(Test test, Amount amount) {
        List<String> words = new ArrayList<>(List.of(program()));
        words.addAll(PROVIDER);
        words.addAll(isWrites ? List.of("-o", "write") : List.of());
        words.addAll(List.of("-I", amount.messages() + "", "-S", Instrument.bytes(test) + ""));
        return words;
    }

    /** A table of one line. A transfer is one way: two of them are a round trip. */
    @Override
    public Reading read(Test test, Amount amount, String printed) throws IOException {
        double usec = Columns.read(printed, "\\s+", "usec/xfer").value("usec/xfer");
        if (test == Test.PING) {
            return Reading.roundTrips(usec * MICROSECOND_NS, Double.NaN);
        }
        double transfers = (isWrites ? 1.0 : 2.0) * amount.messages();
        return Reading.flow(transfers * Instrument.bytes(test), transfers * usec / MICROSECONDS, Double.NaN);
    }
}
