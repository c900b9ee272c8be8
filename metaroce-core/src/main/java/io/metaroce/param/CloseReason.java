package io.metaroce.param;

/** Why a connection is gone, or never came to be. */
public enum CloseReason {
    /** Closed by this side, gracefully. */
    LOCAL_CLOSE("closed by this side"),
    /** Closed by the peer, gracefully. */
    PEER_CLOSE("closed by the peer"),
    /** Given up by this side at once. */
    LOCAL_ABORT("given up by this side"),
    /** Given up by the peer at once. */
    PEER_ABORT("given up by the peer"),
    /** The graceful close did not finish in time. */
    CLOSE_TIMEOUT("the peer did not finish closing in time"),
    /** No answer to the connection request. */
    CONNECT_TIMEOUT("no answer to the connection request"),
    /** The peer speaks another version. */
    REJECTED_VERSION("the peer speaks another version of the protocol"),
    /** A required feature is missing. */
    REJECTED_FEATURE("a required feature is missing at the peer"),
    /** The peer has no room. */
    REJECTED_RESOURCES("the peer has no room for another connection"),
    /** Nobody listens for this service. */
    REJECTED_NO_SERVICE("nobody listens for this service at the peer"),
    /** The application refused. */
    REJECTED_REFUSED("the application at the peer refused"),
    /** A parameter was unacceptable. */
    REJECTED_PARAMETER("the peer found a parameter unacceptable"),
    /** The request belongs to a connection that is gone. */
    REJECTED_STALE("the request belongs to a connection that is gone"),
    /** No integrity profile in common. */
    REJECTED_INTEGRITY("the two sides have no integrity profile in common"),
    /** Nothing delivered for the dead time while work was outstanding. */
    PEER_DEAD("nothing was heard of the peer for the dead time"),
    /** The peer broke the protocol. */
    PROTOCOL_ERROR("the peer broke the protocol"),
    /** This side has no room left. */
    NO_RESOURCES("this endpoint has no room for another connection"),
    /** The peer has started anew and knows nothing of the connection. */
    PEER_RESTARTED("the peer has restarted and no longer knows the connection");

    private final String sentence;

    CloseReason(String sentence) {
        this.sentence = sentence;
    }

    /** What it means, in plain words. */
    public String sentence() {
        return sentence;
    }

    /** The number a CONN_REJECT carries for this reason; 0 for reasons that do not travel in one. */
    public int rejectCode() {
        return switch (this) {
            case REJECTED_VERSION -> 1;
            case REJECTED_FEATURE -> 2;
            case REJECTED_RESOURCES -> 3;
            case REJECTED_NO_SERVICE -> 4;
            case REJECTED_REFUSED -> 5;
            case REJECTED_PARAMETER -> 6;
            case REJECTED_STALE -> 7;
            case REJECTED_INTEGRITY -> 8;
            default -> 0;
        };
    }

    /** The reason a CONN_REJECT code stands for; unknown codes read as refused. */
    public static CloseReason ofRejectCode(int code) {
        return switch (code) {
            case 1 -> REJECTED_VERSION;
            case 2 -> REJECTED_FEATURE;
            case 3 -> REJECTED_RESOURCES;
            case 4 -> REJECTED_NO_SERVICE;
            case 6 -> REJECTED_PARAMETER;
            case 7 -> REJECTED_STALE;
            case 8 -> REJECTED_INTEGRITY;
            default -> REJECTED_REFUSED;
        };
    }
}
