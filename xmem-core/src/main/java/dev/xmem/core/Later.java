package dev.xmem.core;

import dev.xmem.XMemException;

/** What this version does not do yet. The README lists the same. */
final class Later {
    private Later() {}

    static XMemException of(String what) {
        return new XMemException.Unsupported(what);
    }
}
