package dev.xmem.cli.install;

import java.io.IOException;

/** A settings file cannot be edited; the message names it and says what to do. Nothing was written. */
public final class InstallException extends IOException {
    private static final long serialVersionUID = 1L;

    InstallException(String message) {
        super(message);
    }
}
