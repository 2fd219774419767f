package dev.xmem.core.base.io;

import java.io.IOException;

/** A {@link java.util.function.Supplier} that may fail with an {@link IOException}. */
@FunctionalInterface
public interface IoSupplier<T> {
    T get() throws IOException;
}
