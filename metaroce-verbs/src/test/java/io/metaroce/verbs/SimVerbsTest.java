package io.metaroce.verbs;

import io.metaroce.param.Profiles;

/** The contract in the simulator. */
final class SimVerbsTest extends VerbsContract {
    @Override
    VerbsWorld open() {
        return new SimWorld(impatient(Profiles.model()));
    }
}
