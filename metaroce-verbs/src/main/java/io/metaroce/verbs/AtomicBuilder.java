package io.metaroce.verbs;

/**
 * Makes an atomic operation on 8 bytes of the peer's memory at an address divisible by 8. The bytes are a number in the
 * order of the peer's processor; what was there arrives in 8 bytes of this side's memory in the order of this side's.
 */
public final class AtomicBuilder extends FetchBuilder<AtomicBuilder> {
    AtomicBuilder(long wrId) {
        super(wrId);
    }

    @Override
    AtomicBuilder self() {
        return this;
    }

    /** The request that replaces the number by {@code swap} if it equals {@code compare}. */
    public SendWorkRequest compareAndSwap(long compare, long swap) {
        return new SendWorkRequest.CompareAndSwap(wrId, entries(), flags(), remoteAddress(), rkey(), compare, swap);
    }

    /** The request that puts {@code swap} in place of the number, whatever it is. */
    public SendWorkRequest swap(long swap) {
        return new SendWorkRequest.Swap(wrId, entries(), flags(), remoteAddress(), rkey(), swap);
    }

    /** The request that adds {@code add}, modulo 2^64. */
    public SendWorkRequest fetchAndAdd(long add) {
        return new SendWorkRequest.FetchAndAdd(wrId, entries(), flags(), remoteAddress(), rkey(), add);
    }
}
