package io.metaroce.connection;

import io.metaroce.param.CloseReason;
import io.metaroce.wire.ConnectParameters;
import java.util.StringJoiner;

/** Why two sides could not agree, in words, with the values of both. */
final class Mismatch {
    private Mismatch() {}

    /** An addition to the sentence of a rejection; empty when it is about something else or the peer said nothing. */
    static String describe(CloseReason reason, ConnectParameters own, ConnectParameters peer) {
        // R-CONN-004: the reason names what each side demands.
        return switch (reason) {
            case REJECTED_INTEGRITY ->
                peer.integrity() == 0
                        ? ""
                        : ": this side offers " + profiles(own.integrity()) + ", the peer accepts "
                                + profiles(peer.integrity());
            case REJECTED_FEATURE ->
                ": this side requires features " + bits(own.featuresRequired()) + ", the peer supports "
                        + bits(peer.featuresSupported()) + " (bit n for feature n)";
            default -> "";
        };
    }

    private static String profiles(int mask) {
        StringJoiner names = new StringJoiner(" or ");
        if ((mask & ConnectParameters.INTEGRITY_NONE) != 0) {
            names.add("no trailer");
        }
        if ((mask & ConnectParameters.INTEGRITY_CRC32C) != 0) {
            names.add("CRC32C in clear");
        }
        if ((mask & ConnectParameters.INTEGRITY_AEAD_1) != 0) {
            names.add("AEAD-1 with a pre-shared key");
        }
        return names.toString();
    }

    private static String bits(int mask) {
        return Integer.toBinaryString(mask);
    }
}
