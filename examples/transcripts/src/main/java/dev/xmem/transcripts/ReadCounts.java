package dev.xmem.transcripts;

/** What a reader has met. Mutable; not thread-safe. */
public final class ReadCounts {
    long bytes;
    long lines;
    long calls;
    long refused;
    long interrupted;
    long malformed;
    long torn;
    long unknown;
    long unpaired;

    /** Adds the counts of another reader. */
    public void add(ReadCounts other) {
        bytes += other.bytes;
        lines += other.lines;
        calls += other.calls;
        refused += other.refused;
        interrupted += other.interrupted;
        malformed += other.malformed;
        torn += other.torn;
        unknown += other.unknown;
        unpaired += other.unpaired;
    }

    /** Returns the bytes read. */
    public long bytes() {
        return bytes;
    }

    /** Returns the lines, or the elements of a document. */
    public long lines() {
        return lines;
    }

    /** Returns the calls with a result that says how they ended. */
    public long calls() {
        return calls;
    }

    /** Returns the calls that a user, a policy or a hook refused. */
    public long refused() {
        return refused;
    }

    /** Returns the calls that a user interrupted, and those that were cancelled with another one. */
    public long interrupted() {
        return interrupted;
    }

    /** Returns the lines that are not JSON objects, or too long, and the documents that end early. */
    public long malformed() {
        return malformed;
    }

    /** Returns the last lines without an end: the agent was writing them. */
    public long torn() {
        return torn;
    }

    /** Returns the lines of a type that the reader does not know. */
    public long unknown() {
        return unknown;
    }

    /** Returns the calls without a result, and the results without a call. */
    public long unpaired() {
        return unpaired;
    }

    /** Returns the lines that could not be used. */
    public long skipped() {
        return malformed + torn + unknown;
    }
}
