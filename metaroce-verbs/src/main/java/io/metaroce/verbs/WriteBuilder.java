package io.metaroce.verbs;

import java.util.OptionalInt;

/** Makes an RDMA WRITE, or one with immediate. */
public final class WriteBuilder extends WorkRequestBuilder<WriteBuilder> {
    private long remoteAddress;
    private int rkey;
    private OptionalInt immediate = OptionalInt.empty();

    WriteBuilder(long wrId) {
        super(wrId);
    }

    @Override
    WriteBuilder self() {
        return this;
    }

    /** Where the payload goes: an address inside the peer's region and the region's rkey, both learnt from the peer. */
    public WriteBuilder to(long address, int key) {
        remoteAddress = address;
        rkey = key;
        return this;
    }

    /** Makes the write consume a receive at the peer, whose completion carries these 32 bits. */
    public WriteBuilder immediate(int value) {
        immediate = OptionalInt.of(value);
        return this;
    }

    /** The request. */
    public SendWorkRequest build() {
        return immediate.isPresent()
                ? new SendWorkRequest.WriteImmediate(
                        wrId, entries(), inlineData(), flags(), remoteAddress, rkey, immediate.getAsInt())
                : new SendWorkRequest.Write(wrId, entries(), inlineData(), flags(), remoteAddress, rkey);
    }
}
