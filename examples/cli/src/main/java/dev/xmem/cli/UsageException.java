package dev.xmem.cli;

/** The command line cannot be executed; the message says what to do instead. */
final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UsageException(String message) {
        super(message);
    }
}
