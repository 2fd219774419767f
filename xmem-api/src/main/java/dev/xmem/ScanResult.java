package dev.xmem;

import java.util.List;

/**
 * The result of a {@link Scan}, in the shape of the X-MEM protocol. Immutable and thread-safe.
 *
 * @param results the matching lines as JSON objects, newest first
 * @param truncated whether a match was omitted, or the maximum window ended the search
 * @param usedWindowLines the size of the last window, in lines
 */
public record ScanResult(List<String> results, boolean truncated, int usedWindowLines) {
    /** Copies the list. */
    public ScanResult {
        results = List.copyOf(results);
    }
}
