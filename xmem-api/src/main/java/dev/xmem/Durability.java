package dev.xmem;

/** What an acknowledged append survives. */
public enum Durability {
    /** The default. The operating system has it: it survives a killed process, not a power cut. */
    OS,
    /** It survives a power cut; appends that arrive while one fsync runs share the next. */
    GROUP,
    /** It survives a power cut; every append has an fsync of its own. */
    EACH
}
