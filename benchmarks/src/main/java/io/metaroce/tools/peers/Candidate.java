package io.metaroce.tools.peers;

import java.io.IOException;

/** Somebody who may take part: a {@link Peer} of a class path, a program of this machine, or one that is absent. */
interface Candidate {
    /** One word. */
    String name();

    /** What it is and how it is set, in a few words. */
    String about();

    /** Why it cannot take part, and how to change that; empty when it can. */
    String absence();

    /** Whether what gets lost is sent again. */
    boolean repairs();

    /** Makes ready for turns between two places. */
    Contender enter(Place far, Place near) throws IOException;

    /** One that is known by name only. */
    record Absent(String name, String about, String absence) implements Candidate {
        @Override
        public boolean repairs() {
            return true;
        }

        @Override
        public Contender enter(Place far, Place near) throws IOException {
            throw new IOException(absence);
        }
    }
}
