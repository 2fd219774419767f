package dev.xmem.core.base.io;

import java.io.IOException;

/** A {@link Runnable} that may fail with an {@link IOException}. */
@FunctionalInterface
public interface IoAction {
    void run() throws IOException;
}
