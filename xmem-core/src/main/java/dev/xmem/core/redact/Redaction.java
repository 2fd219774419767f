package dev.xmem.core.redact;

import dev.xmem.spi.Redactor;

/** The one way of every text into the store. Immutable and thread-safe. */
public final class Redaction {
    private static final char REPLACEMENT = '\uFFFD';

    private final Redactor last;

    /** A redaction that ends with the caller's own. */
    public Redaction(Redactor last) {
        this.last = last;
    }

    /** The text as it may be stored. */
    public String clean(String text) {
        return last.redact(wellFormed(text));
    }

    /** Half a surrogate pair is no character and cannot be written as UTF-8. */
    private static String wellFormed(String text) {
        StringBuilder repaired = null;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (!Character.isSurrogate(c)) {
                continue;
            }
            if (Character.isHighSurrogate(c) && i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))) {
                i++;
                continue;
            }
            repaired = repaired == null ? new StringBuilder(text) : repaired;
            repaired.setCharAt(i, REPLACEMENT);
        }
        return repaired == null ? text : repaired.toString();
    }
}
