package io.metaroce.verbs;

import java.nio.ByteBuffer;

/** What send work requests that carry a payload to the peer have in common. */
abstract class WorkRequestBuilder<B extends WorkRequestBuilder<B>> extends RequestBuilder<B> {
    static final ByteBuffer NOTHING = ByteBuffer.allocate(0).asReadOnlyBuffer();

    private ByteBuffer inlineData = NOTHING;

    WorkRequestBuilder(long wrId) {
        super(wrId);
    }

    /** Adds a piece of payload. */
    public B from(ScatterGatherEntry entry) {
        return add(entry);
    }

    /** Adds {@code length} bytes at {@code offset} of a region to the payload. */
    public B from(MemoryRegion region, long offset, int length) {
        return from(ScatterGatherEntry.of(region, offset, length));
    }

    /** Adds a whole region to the payload. */
    public B from(MemoryRegion region) {
        return from(ScatterGatherEntry.of(region));
    }

    /**
     * Makes these bytes, which need no registration, the payload, and sets {@link SendFlag#INLINE}. Copies them now.
     */
    public B inline(byte[] bytes) {
        inlineData = ByteBuffer.wrap(bytes.clone()).asReadOnlyBuffer();
        return with(SendFlag.INLINE);
    }

    ByteBuffer inlineData() {
        return inlineData;
    }
}
