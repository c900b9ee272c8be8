package io.metaroce.bench.micro;

import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * The {@link SendSide} with the payload of 4 KiB named and not read: the trailer covers the headers alone. What is left
 * is what the engine itself does for a packet, of any length.
 */
@State(Scope.Thread)
public class SendSideWithoutPayloadBench extends SendSide {
    @Override
    Loop begun() {
        return Loop.bulkUnread();
    }

    @Override
    int warmUpRounds() {
        return 2_000;
    }
}
