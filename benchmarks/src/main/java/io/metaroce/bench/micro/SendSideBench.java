package io.metaroce.bench.micro;

import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** The {@link SendSide} of bulk traffic, with a checksum over all of each packet. */
@State(Scope.Thread)
public class SendSideBench extends SendSide {
    /** Payload of a packet; beside 4 KiB another size, to tell what the payload costs from what the engine costs. */
    @Param({"4096", "1024"})
    public int payloadBytes;

    @Override
    Loop begun() {
        return Loop.bulk(payloadBytes);
    }

    @Override
    int warmUpRounds() {
        return 200;
    }
}
