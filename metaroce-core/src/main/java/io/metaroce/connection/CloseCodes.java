package io.metaroce.connection;

import io.metaroce.param.StreamError;
import io.metaroce.wire.CloseHeader;

/** What the code of a closing packet says, in words. */
final class CloseCodes {
    private CloseCodes() {}

    static String describe(int code) {
        if (code >= CloseHeader.ERROR_BASE) {
            return "the peer closed: "
                    + StreamError.of(code - CloseHeader.ERROR_BASE).sentence();
        }
        return switch (code) {
            case CloseHeader.IDLE -> "the peer had not heard of this side for its dead time";
            case CloseHeader.NO_RESOURCES -> "the peer had no room left";
            default -> "the peer's application gave the connection up";
        };
    }
}
