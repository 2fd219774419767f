package dev.xmem.cli;

/** A line of the input that cannot be used; the others go on. */
final class LineException extends Exception {
    private static final long serialVersionUID = 1L;

    LineException(String message) {
        super(message);
    }
}
