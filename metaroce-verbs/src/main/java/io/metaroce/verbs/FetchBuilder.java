package io.metaroce.verbs;

/** What requests that fetch from the peer have in common: where the bytes come from, and where they go. */
abstract class FetchBuilder<B extends FetchBuilder<B>> extends RequestBuilder<B> {
    private long remoteAddress;
    private int rkey;

    FetchBuilder(long wrId) {
        super(wrId);
    }

    /** Where the bytes are: an address inside the peer's region and the region's rkey, both learnt from the peer. */
    public B from(long address, int key) {
        remoteAddress = address;
        rkey = key;
        return self();
    }

    /** Adds a piece of memory to fill. */
    public B into(ScatterGatherEntry entry) {
        return add(entry);
    }

    /** Adds {@code length} bytes at {@code offset} of a region to the memory to fill. */
    public B into(MemoryRegion region, long offset, int length) {
        return into(ScatterGatherEntry.of(region, offset, length));
    }

    /** Adds flags. Those for requests that carry a payload mean nothing here and are refused. */
    @Override
    public B with(SendFlag... more) {
        for (SendFlag flag : more) {
            if (flag == SendFlag.INLINE || flag == SendFlag.SOLICITED || flag == SendFlag.ORDERED) {
                throw new IllegalArgumentException(
                        flag + " on a request that fetches; it is for requests that carry a payload to the peer");
            }
        }
        return super.with(more);
    }

    long remoteAddress() {
        return remoteAddress;
    }

    int rkey() {
        return rkey;
    }
}
