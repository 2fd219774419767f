package dev.xmem.core.faults;

/** How much unsynced data is left when a machine starts again. Synced data is always left. */
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

    /** Returns how many of n unsynced bytes are left unchanged. */
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
