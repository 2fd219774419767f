package dev.xmem.core.faults;

/** What is left of what was not synced when a machine starts again. What was synced is left always. */
enum Loss {
    /** Only the process ended: the operating system has all of it. */
    PROCESS,
    /** Nothing of it. */
    EVERYTHING,
    /** New names stand, of the bytes nothing. */
    BYTES,
    /** The bytes are there, the names that lead to them are not. */
    NAMES,
    /** Every other name, and of each file half of the bytes. */
    HALF,
    /** Of each file all but the last byte. */
    LAST_BYTE,
    /** The length was on the medium before the bytes: zeros. */
    ZEROS;

    /** How many of so many bytes are left as they were. */
    int kept(int bytes) {
        return switch (this) {
            case PROCESS, NAMES -> bytes;
            case EVERYTHING, BYTES, ZEROS -> 0;
            case HALF -> bytes / 2;
            case LAST_BYTE -> Math.max(0, bytes - 1);
        };
    }

    /** Whether the n-th change of a name is left. */
    boolean keepsName(int n) {
        return switch (this) {
            case EVERYTHING, NAMES -> false;
            case HALF -> n % 2 == 0;
            default -> true;
        };
    }
}
