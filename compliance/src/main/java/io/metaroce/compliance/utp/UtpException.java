package io.metaroce.compliance.utp;

/** An agent has refused a command, or does not answer as it should. */
public final class UtpException extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final String code;

    /** A refusal with one of the codes of the protocol. */
    public UtpException(String code, String message) {
        super(code + ": " + message);
        this.code = code;
    }

    /** The code: E_UNSUPPORTED, E_BADARG, E_STATE, E_NORES, E_INTERNAL, or E_PROTOCOL when the line was no answer. */
    public String code() {
        return code;
    }
}
