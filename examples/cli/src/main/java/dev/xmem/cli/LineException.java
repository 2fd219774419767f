package dev.xmem.cli;

/** An invalid input line; the remaining lines are still processed. */
final class LineException extends Exception {
    private static final long serialVersionUID = 1L;

    LineException(String message) {
        super(message);
    }
}
