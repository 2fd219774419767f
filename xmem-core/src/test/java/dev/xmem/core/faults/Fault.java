package dev.xmem.core.faults;

import java.util.Set;

/**
 * A fault at one operation of a file system.
 *
 * @param at which operation, counted from 1; 0 for none
 * @param kind what happens there
 */
record Fault(int at, Kind kind) {
    static final Fault NONE = new Fault(0, Kind.FAIL);

    /** The operations of a disk that can go wrong by themselves: a replacing is five of them. */
    enum Operation {
        STAT,
        OPEN,
        READ,
        LIST,
        LOCK,
        MAKE_FOLDER,
        CREATE,
        WRITE,
        SYNC,
        RENAME,
        DELETE,
        SYNC_FOLDER;

        /** Whether it changes the disk, or what a power cut leaves on it. */
        boolean changes() {
            return ordinal() >= MAKE_FOLDER.ordinal();
        }
    }

    enum Kind {
        /** It throws and does nothing: EIO, ENOSPC, EACCES. */
        FAIL,
        /** It does its work and throws: an fsync that says EIO and yet wrote, a reply that got lost. */
        FAIL_LATE,
        /** Half is written, then it throws: ENOSPC. */
        FAIL_SHORT,
        /** The process or the machine stops before it. */
        CRASH,
        /** The process or the machine stops after half of the writing. */
        CRASH_SHORT,
        /** The process or the machine stops after it. */
        CRASH_LATE;

        private static final Set<Kind> CRASHES = Set.of(CRASH, CRASH_SHORT, CRASH_LATE);

        boolean crashes() {
            return CRASHES.contains(this);
        }

        /** Whether this kind is another one than {@link #FAIL} at such an operation. */
        boolean fits(Operation operation) {
            return switch (this) {
                case FAIL -> true;
                case FAIL_LATE, CRASH, CRASH_LATE -> operation.changes();
                case FAIL_SHORT, CRASH_SHORT -> operation == Operation.WRITE;
            };
        }
    }
}
