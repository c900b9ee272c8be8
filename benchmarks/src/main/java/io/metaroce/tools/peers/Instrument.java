package io.metaroce.tools.peers;

import io.metaroce.tools.peers.Contender.Test;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A program of somebody else's that measures by itself: a side that waits, and one that drives and reports. */
interface Instrument extends Candidate {
    /** Bytes of a large message. */
    int BULK_BYTES = 1 << 20;

    /** Name of the program, which has to be on the search path. */
    String program();

    /** Whether it has this test. */
    boolean has(Test test);

    /** Whether it runs for a time, not for a number of messages. */
    boolean isTimed();

    /** Words of the side that waits at a port. */
    List<String> server(Test test, Place far, int port, Amount amount);

    /** Words of the side that drives. */
    List<String> client(Test test, Place near, Place far, int port, Amount amount);

    /**
     * Reads what the driving side printed. Its processor time is not in there.
     *
     * @throws IOException when it printed no result
     */
    Contender.Reading read(Test test, Amount amount, String printed) throws IOException;

    /** How much of a test: one of the two is heeded. */
    record Amount(long seconds, long messages) {}

    /** Payload of one message. */
    static int bytes(Test test) {
        return test == Test.BULK ? BULK_BYTES : Peer.SMALL_BYTES;
    }

    @Override
    default String absence() {
        return isInstalled(program()) ? "" : program() + " is not on the search path: install " + origin();
    }

    /** Where the program comes from. */
    String origin();

    @Override
    default Contender enter(Place far, Place near) throws IOException {
        return new InstrumentPair(this, far, near);
    }

    /** Whether the search path has a program of this name. */
    static boolean isInstalled(String program) {
        String path = System.getenv("PATH");
        for (String folder : path == null ? new String[0] : path.split(":", -1)) {
            if (Files.isExecutable(Path.of(folder, program))) {
                return true;
            }
        }
        return false;
    }
}
