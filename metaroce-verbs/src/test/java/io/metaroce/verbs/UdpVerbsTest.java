package io.metaroce.verbs;

import io.metaroce.param.Profiles;

/** The contract over sockets of the loopback interface. */
final class UdpVerbsTest extends VerbsContract {
    @Override
    VerbsWorld open() {
        return new UdpWorld(impatient(Profiles.udp()));
    }
}
