package io.metaroce.verbs;

import io.metaroce.param.Profiles;
import io.metaroce.sim.LinkConfig;
import io.metaroce.sim.SimTime;

/** The contract in a simulated network that loses, duplicates and reorders: applications notice nothing. */
final class LossyVerbsTest extends VerbsContract {
    private static final LinkConfig.Faults FAULTS = LinkConfig.Faults.NONE
            .withLoss(20_000, 1)
            .withDuplicates(10_000, SimTime.US)
            .withReordering(20_000, 3, SimTime.US);

    @Override
    VerbsWorld open() {
        return new SimWorld(
                impatient(Profiles.model()),
                LinkConfig.port(100_000_000_000L, SimTime.US, 1 << 20).withFaults(FAULTS));
    }
}
