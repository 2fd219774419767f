package dev.xmem.core.store.log;

/** Receives the lines of a log in order. */
public interface LineSink {
    /**
     * Receives a line that is not empty.
     *
     * @param offset where it begins in the file
     * @param buffer contains it, during the call only
     * @param start where it begins in the buffer
     * @param length its length without newline and carriage return
     * @param ended whether a newline follows; a last line without one is torn unless it can be parsed
     * @return whether it was accepted as an entry
     */
    boolean line(long offset, byte[] buffer, int start, int length, boolean ended);

    /** Reports a range of the file that is passed over. */
    void malformed(long offset, long length, String reason);

    /** Says that all lines that were found were passed on. */
    default void end() {}
}
