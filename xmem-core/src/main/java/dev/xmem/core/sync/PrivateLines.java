package dev.xmem.core.sync;

import dev.xmem.Entry;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.core.base.json.MalformedLineException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Blanks private lines before they leave the store: each becomes a line of spaces of the same length, so that positions
 * in a stream are those of the log. Stateless. Decision: docs/adr/0043-private-entries.md.
 */
final class PrivateLines {
    private static final byte[] TAG = Entry.PRIVATE.getBytes(StandardCharsets.US_ASCII);
    private static final int CASE_BIT = 0x20;

    /** Whole lines of a stream without the private ones; the same array if none is private. */
    byte[] blanked(String stream, byte[] lines) {
        byte[] blanked = lines;
        int start = 0;
        for (int i = 0; i <= lines.length; i++) {
            if (i == lines.length || lines[i] == '\n') {
                if (isPrivate(stream, lines, start, i)) {
                    blanked = blanked == lines ? lines.clone() : blanked;
                    Arrays.fill(blanked, start, i, (byte) ' ');
                }
                start = i + 1;
            }
        }
        return blanked;
    }

    /** A line that names the tag and cannot be read counts as private. */
    private boolean isPrivate(String stream, byte[] bytes, int start, int end) {
        if (!mayNameTag(bytes, start, end)) {
            return false;
        }
        try {
            return LineCodec.indexedFields(StreamImporter.kind(stream), bytes, start, end - start)
                    .isPrivate();
        } catch (MalformedLineException e) {
            return true;
        }
    }

    /** Whether a line has the name of the tag, in any case, or an escape that may hide a letter of it. */
    private static boolean mayNameTag(byte[] bytes, int start, int end) {
        for (int i = start; i < end; i++) {
            if ((bytes[i] | CASE_BIT) == TAG[0] && namesTag(bytes, i, end)
                    || bytes[i] == '\\' && i + 1 < end && bytes[i + 1] == 'u') {
                return true;
            }
        }
        return false;
    }

    private static boolean namesTag(byte[] bytes, int at, int end) {
        for (int i = 0; i < TAG.length; i++) {
            if (at + i >= end || (bytes[at + i] | CASE_BIT) != TAG[i]) {
                return false;
            }
        }
        return true;
    }
}
