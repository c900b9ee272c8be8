package io.metaroce.path;

import static io.metaroce.path.PathEvent.CANDIDATE_ECHOED;
import static io.metaroce.path.PathEvent.CANDIDATE_EXPIRED;
import static io.metaroce.path.PathEvent.CONFIRMED_ALONE;
import static io.metaroce.path.PathEvent.CONFIRMED_WITH_DONOR;
import static io.metaroce.path.PathEvent.DELIVERED;
import static io.metaroce.path.PathEvent.DRAINED;
import static io.metaroce.path.PathEvent.LEAVE_WANTED;
import static io.metaroce.path.PathEvent.PARKED;
import static io.metaroce.path.PathEvent.SILENT;
import static io.metaroce.path.PathState.ACTIVE;
import static io.metaroce.path.PathState.ADMIN_DOWN;
import static io.metaroce.path.PathState.DRAINING;
import static io.metaroce.path.PathState.FAILED;
import static io.metaroce.path.PathState.SUSPECT;
import static io.metaroce.path.PathState.VALIDATING;

import io.metaroce.state.TransitionTable;
import java.util.EnumSet;

/** The table of path states. Hot, parked and borrowed are attributes of a path, not states. */
public final class PathStates {
    /** Every transition there is; a pair that is not listed changes nothing. */
    public static final TransitionTable<PathState, PathEvent> TABLE = TransitionTable.of(
                    PathState.class, PathEvent.class)
            .on(CANDIDATE_ECHOED, EnumSet.of(VALIDATING, FAILED, ADMIN_DOWN), ACTIVE)
            .on(SILENT, EnumSet.of(ACTIVE, DRAINING), SUSPECT)
            .on(DELIVERED, EnumSet.of(SUSPECT, FAILED), ACTIVE)
            .on(
                    CONFIRMED_WITH_DONOR,
                    EnumSet.of(VALIDATING, ACTIVE, SUSPECT, DRAINING, FAILED),
                    ACTIVE) // rebound, borrowed
            .on(CONFIRMED_ALONE, EnumSet.of(ACTIVE, SUSPECT, DRAINING), FAILED)
            .on(LEAVE_WANTED, EnumSet.of(ACTIVE), DRAINING)
            .on(DRAINED, EnumSet.of(DRAINING), ACTIVE) // rebound, own route
            .on(CANDIDATE_EXPIRED, EnumSet.of(DRAINING), ACTIVE)
            .on(PARKED, EnumSet.of(DRAINING), ADMIN_DOWN)
            .build();

    private PathStates() {}
}
