package io.metaroce.udp;

import java.io.IOException;
import java.io.UncheckedIOException;

/** An endpoint could not be bound to a local address. The message says why and what to change. */
public class BindFailedException extends UncheckedIOException {
    private static final long serialVersionUID = 1;

    /** The address as people write it. */
    private final String address;

    BindFailedException(String address, String message, IOException cause) {
        super(message, cause);
        this.address = address;
    }

    /** The address that could not be bound, with its port. */
    public String address() {
        return address;
    }
}
