package io.metaroce.connection;

import static io.metaroce.connection.PayloadEvent.CARRIED;
import static io.metaroce.connection.PayloadEvent.GIVEN_UP;
import static io.metaroce.connection.PayloadEvent.LOSSES;
import static io.metaroce.connection.PayloadEvent.MISSED;
import static io.metaroce.connection.PayloadEvent.RAISE_DUE;
import static io.metaroce.connection.PayloadState.DOUBTED;
import static io.metaroce.connection.PayloadState.NARROWED;
import static io.metaroce.connection.PayloadState.PROVING;
import static io.metaroce.connection.PayloadState.RAISING;
import static io.metaroce.connection.PayloadState.SETTLED;

import io.metaroce.state.TransitionTable;
import java.util.EnumSet;

/** The table of the search for how much a packet may carry. A connection begins in PROVING. */
public final class PayloadStates {
    /** Every transition there is; a pair that is not listed changes nothing. */
    public static final TransitionTable<PayloadState, PayloadEvent> TABLE = TransitionTable.of(
                    PayloadState.class, PayloadEvent.class)
            .on(CARRIED, EnumSet.of(PROVING, DOUBTED, NARROWED, RAISING), SETTLED)
            .on(MISSED, EnumSet.of(PROVING, RAISING), SETTLED)
            .on(MISSED, EnumSet.of(DOUBTED), NARROWED)
            .on(LOSSES, EnumSet.of(SETTLED, RAISING), DOUBTED)
            .on(RAISE_DUE, EnumSet.of(SETTLED), RAISING)
            .on(GIVEN_UP, EnumSet.of(NARROWED), SETTLED)
            .build();

    private PayloadStates() {}
}
