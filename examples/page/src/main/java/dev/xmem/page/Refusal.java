package dev.xmem.page;

/** A request that is not answered: an HTTP status, and a sentence that says what to do. */
final class Refusal extends Exception {
    private static final long serialVersionUID = 1;

    final int status;

    /** What was asked for cannot be done as it was asked for. */
    Refusal(String message) {
        this(Gate.BAD_REQUEST, message);
    }

    Refusal(int status, String message) {
        super(message, null, false, false);
        this.status = status;
    }
}
