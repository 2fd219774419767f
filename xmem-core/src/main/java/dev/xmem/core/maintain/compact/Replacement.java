package dev.xmem.core.maintain.compact;

import dev.xmem.core.base.io.IoSupplier;
import java.io.IOException;

/**
 * The line that replaces another.
 *
 * @param line makes its bytes: where a plan has no room for them, each time they are needed
 * @param others how many lines it covers besides the one that it replaces
 * @param isHashedAlike whether it is known to have the values of the line that it replaces in all hashed fields
 * @param occurrences how often it happened, if the index has all its facts from the lines that it is made of; else 0
 */
record Replacement(IoSupplier<byte[]> line, int others, boolean isHashedAlike, long occurrences) {
    /** A line in place of one. */
    static Replacement of(byte[] line) {
        return new Replacement(() -> line, 0, false, 0);
    }

    /** Whether the index need not parse it. */
    boolean isJoined() {
        return occurrences > 0;
    }

    byte[] bytes() throws IOException {
        return line.get();
    }
}
