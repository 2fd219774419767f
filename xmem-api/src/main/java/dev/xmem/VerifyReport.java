package dev.xmem;

import java.util.List;

/** What a verification found. Immutable, thread-safe; implemented only by xmem, methods may be added. */
public interface VerifyReport {
    /** Whether nothing was found. */
    boolean clean();

    /** One sentence a finding, with file and byte offset. */
    List<String> findings();

    /** How many lines were read. */
    long lines();
}
