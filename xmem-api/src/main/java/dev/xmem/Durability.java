package dev.xmem;

/** The durability of an acknowledged append. */
public enum Durability {
    /** The default: written to the operating system. Survives a killed process, but not a power failure. */
    OS,
    /** Group commit: survives a power failure. Appends that arrive during one fsync share the next one. */
    GROUP,
    /** Survives a power failure. Every append has its own fsync. */
    EACH
}
