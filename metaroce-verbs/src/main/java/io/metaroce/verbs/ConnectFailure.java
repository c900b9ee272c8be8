package io.metaroce.verbs;

/** Why a connection could not be made. Four causes that call for four different cures. */
public enum ConnectFailure {
    /** The network says that no process is bound to that address and port. */
    PORT_UNREACHABLE("no process is bound there; is the server running, and is the port right?"),
    /** Something may be there but never answered. */
    TIMED_OUT("nothing came back; a firewall, a wrong address, or an application that never decides"),
    /** The peer lives, but nobody listens for the service asked for. */
    NO_SERVICE("the peer lives but nobody listens for this service there"),
    /** The peer lives and refused; its reason and its private data say why. */
    REJECTED("the peer refused"),
    /** This side gave up: the device was closed, the peer withdrew its request, or there was no room. */
    ABANDONED("the attempt was given up");

    private final String sentence;

    ConnectFailure(String sentence) {
        this.sentence = sentence;
    }

    /** What it means and what to look at, in plain words. */
    public String sentence() {
        return sentence;
    }
}
