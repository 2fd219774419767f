package dev.xmem.core.store.log;

/** Sees the lines of a log in their order. */
public interface LineSink {
    /**
     * A line that is not empty.
     *
     * @param offset where it begins in the file
     * @param buffer holds it, until this call returns
     * @param start where it begins in the buffer
     * @param length its length without newline and carriage return
     * @param ended whether a newline follows; a last line without one is torn unless it can be read
     * @return whether it was understood
     */
    boolean line(long offset, byte[] buffer, int start, int length, boolean ended);

    /** A line that is not handed over. */
    void malformed(long offset, long length, String reason);
}
