package io.metaroce.verbs;

import io.metaroce.datagram.Address;
import io.metaroce.param.CloseReason;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A connection that could not be made: why, with whom, and after how long. */
public final class VerbsConnectException extends IOException {
    private static final long serialVersionUID = 1;

    /** Which of the causes. */
    private final ConnectFailure failure;
    /** The address that was tried. */
    private final transient Address peer;
    /** How long it was tried. */
    private final Duration waited;
    /** The engine's reason, if the connection got as far as the engine. */
    private final @Nullable CloseReason reason;
    /** What the peer's application said along with its refusal. */
    private final byte[] privateData;

    VerbsConnectException(
            ConnectFailure failure,
            Address peer,
            Duration waited,
            @Nullable CloseReason reason,
            byte[] privateData,
            String detail) {
        super("connection with " + peer + ": " + failure + " after " + Texts.of(waited) + ": " + detail);
        this.failure = failure;
        this.peer = peer;
        this.waited = waited;
        this.reason = reason;
        this.privateData = privateData.clone();
    }

    /** Which of the causes. */
    public ConnectFailure failure() {
        return failure;
    }

    /** The address that was tried. */
    public Address peer() {
        return peer;
    }

    /** How long it was tried, by the endpoint's clock. */
    public Duration waited() {
        return waited;
    }

    /** The engine's reason; empty when the engine had none, such as for a port nobody is bound to. */
    public Optional<CloseReason> reason() {
        return Optional.ofNullable(reason);
    }

    /** What the peer's application said along with its refusal; empty when it said nothing. */
    public byte[] privateData() {
        return privateData.clone();
    }
}
