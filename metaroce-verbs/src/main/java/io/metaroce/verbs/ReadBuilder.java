package io.metaroce.verbs;

/** Makes an RDMA READ. */
public final class ReadBuilder extends FetchBuilder<ReadBuilder> {
    ReadBuilder(long wrId) {
        super(wrId);
    }

    @Override
    ReadBuilder self() {
        return this;
    }

    /** The request. */
    public SendWorkRequest build() {
        return new SendWorkRequest.Read(wrId, entries(), flags(), remoteAddress(), rkey());
    }
}
