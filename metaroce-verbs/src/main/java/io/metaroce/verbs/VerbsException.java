package io.metaroce.verbs;

/**
 * Misuse by the caller, or a request beyond a limit. Nothing of the refused call has been carried out.
 *
 * <p>Says four things: what was asked, what is allowed, which option changes that, and which object refused.
 */
public final class VerbsException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** What was asked. */
    private final String asked;
    /** What is allowed. */
    private final String allowed;
    /** The option or call that changes it. */
    private final String option;
    /** The object that refused. */
    private final String object;

    /** A refusal with its four parts; each is a short phrase without a full stop. */
    public VerbsException(String object, String asked, String allowed, String option) {
        super(object + ": " + asked + "; " + allowed + "; " + option);
        this.asked = asked;
        this.allowed = allowed;
        this.option = option;
        this.object = object;
    }

    /** A refusal that another exception is the reason of. */
    VerbsException(String object, String asked, String allowed, String option, Throwable cause) {
        this(object, asked, allowed, option);
        initCause(cause);
    }

    /** What was asked. */
    public String asked() {
        return asked;
    }

    /** What is allowed. */
    public String allowed() {
        return allowed;
    }

    /** The option or call that changes it. */
    public String option() {
        return option;
    }

    /** The object that refused. */
    public String object() {
        return object;
    }
}
