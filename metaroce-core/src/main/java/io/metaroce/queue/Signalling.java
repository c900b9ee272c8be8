package io.metaroce.queue;

/** Which send requests that succeed give a completion. Requests that fail always give one. */
public enum Signalling {
    /** Every one ({@code sq_sig_all} in rdma-core). */
    ALL,
    /** Those posted with {@link SendFlags#SIGNALED}. */
    FLAGGED
}
