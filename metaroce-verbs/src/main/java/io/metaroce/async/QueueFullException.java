package io.metaroce.async;

import java.io.IOException;

/** As much is in flight as was agreed; nothing was posted. Wait for a result, or for room, and ask again. */
public final class QueueFullException extends IOException {
    private static final long serialVersionUID = 1;

    QueueFullException(String message) {
        super(message);
    }
}
