package io.metaroce.verbs;

import java.util.OptionalInt;

/** Makes a SEND, or a SEND with immediate. */
public final class SendBuilder extends WorkRequestBuilder<SendBuilder> {
    private OptionalInt immediate = OptionalInt.empty();

    SendBuilder(long wrId) {
        super(wrId);
    }

    @Override
    SendBuilder self() {
        return this;
    }

    /** Adds 32 bits that arrive in the receiver's completion. */
    public SendBuilder immediate(int value) {
        immediate = OptionalInt.of(value);
        return this;
    }

    /** The request. */
    public SendWorkRequest build() {
        return immediate.isPresent()
                ? new SendWorkRequest.SendImmediate(wrId, entries(), inlineData(), flags(), immediate.getAsInt())
                : new SendWorkRequest.Send(wrId, entries(), inlineData(), flags());
    }
}
