package dev.xmem.core.store.log;

/**
 * Says when many files are to be looked at again: at once where they are few, else so that looking takes at most a
 * fiftieth of the time. Thread-safe.
 */
public final class Pace {
    private static final int FEW = 16;
    private static final int SHARE = 50;

    private volatile long next = System.nanoTime();

    /** Whether so many files are to be looked at now. */
    public boolean isDue(int files) {
        return files <= FEW || System.nanoTime() - next >= 0;
    }

    /** Notes that the files were looked at. */
    public void took(long beginNanos) {
        long now = System.nanoTime();
        next = now + SHARE * (now - beginNanos);
    }

    /** Makes it due. */
    public void expire() {
        next = System.nanoTime();
    }
}
