package dev.xmem;

import java.util.List;
import java.util.Objects;

/**
 * The result of a {@link Scan}, in the shape of the X-MEM protocol. Its JSON costs at most the store's token budget.
 * Immutable and thread-safe.
 *
 * @param results the matching lines as JSON objects, newest first. A note of more than {@value #NOTE_TOKENS} tokens has
 *     only its fields of the protocol, with the ends of long texts replaced by an ellipsis
 * @param truncated whether a match was omitted or shortened, or the maximum window ended the search
 * @param usedWindowLines the size of the last window, in lines
 */
public record ScanResult(List<String> results, boolean truncated, int usedWindowLines) {
    /** The most tokens of one result. */
    public static final int NOTE_TOKENS = 2_000;

    /** Copies the list. */
    public ScanResult {
        results = List.copyOf(Objects.requireNonNull(results, "results"));
    }

    /** Returns the result as one JSON object, {@code {"results":[…],"truncated":false,"used_window_lines":50000}}. */
    public String json() {
        return "{\"results\":[" + String.join(",", results) + "],\"truncated\":" + truncated + ",\"used_window_lines\":"
                + usedWindowLines + "}";
    }
}
