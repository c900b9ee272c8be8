package io.metaroce.path;

import static io.metaroce.path.CandidateEvent.DONE;
import static io.metaroce.path.CandidateEvent.ECHOED;
import static io.metaroce.path.CandidateEvent.EXPIRED;
import static io.metaroce.path.CandidateEvent.WANTED;
import static io.metaroce.path.CandidateState.NONE;
import static io.metaroce.path.CandidateState.PROBING;
import static io.metaroce.path.CandidateState.VALID;

import io.metaroce.state.TransitionTable;
import java.util.EnumSet;

/** The table of candidate routes. Borrowing a route leaves the candidate as it is. */
public final class CandidateStates {
    /** Every transition there is; a pair that is not listed changes nothing. */
    public static final TransitionTable<CandidateState, CandidateEvent> TABLE = TransitionTable.of(
                    CandidateState.class, CandidateEvent.class)
            .on(WANTED, EnumSet.of(NONE), PROBING)
            .on(ECHOED, EnumSet.of(PROBING), VALID)
            .on(EXPIRED, EnumSet.of(VALID), PROBING)
            .on(DONE, EnumSet.of(PROBING, VALID), NONE)
            .build();

    private CandidateStates() {}
}
