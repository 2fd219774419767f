package dev.xmem.cli;

/** The program was called in a way it cannot serve; the message says what to do instead. */
final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UsageException(String message) {
        super(message);
    }
}
