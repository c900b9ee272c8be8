package io.metaroce.udp;

import java.io.IOException;

/** A port could not be bound because another socket has it. */
public final class PortTakenException extends BindFailedException {
    private static final long serialVersionUID = 1;

    PortTakenException(String address, String message, IOException cause) {
        super(address, message, cause);
    }
}
