package dev.xmem;

import java.util.List;

/**
 * What a {@link Scan} found. The shape is the seed's.
 *
 * @param results the matching lines as JSON objects, newest first
 * @param truncated whether a match was left out, or the largest window ended the search
 * @param usedWindowLines how many lines the last window had
 */
public record ScanResult(List<String> results, boolean truncated, int usedWindowLines) {
    /** Keeps a copy of the list. */
    public ScanResult {
        results = List.copyOf(results);
    }
}
