package io.metaroce.verbs;

import java.util.OptionalInt;

/** Makes a SEND, one with immediate, or one that invalidates a key. */
public final class SendBuilder extends WorkRequestBuilder<SendBuilder> {
    private OptionalInt immediate = OptionalInt.empty();
    private OptionalInt invalidate = OptionalInt.empty();

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

    /** Makes this key of the peer invalid when the message is received. */
    public SendBuilder invalidate(int rkey) {
        invalidate = OptionalInt.of(rkey);
        return this;
    }

    /**
     * The request.
     *
     * @throws IllegalStateException when it has both an immediate and a key to invalidate, for which there is no
     *     operation
     */
    public SendWorkRequest build() {
        if (invalidate.isPresent() && immediate.isPresent()) {
            throw new IllegalStateException("a send has an immediate or a key to invalidate, not both; send twice");
        }
        if (invalidate.isPresent()) {
            return new SendWorkRequest.SendInvalidate(wrId, entries(), inlineData(), flags(), invalidate.getAsInt());
        }
        return immediate.isPresent()
                ? new SendWorkRequest.SendImmediate(wrId, entries(), inlineData(), flags(), immediate.getAsInt())
                : new SendWorkRequest.Send(wrId, entries(), inlineData(), flags());
    }
}
