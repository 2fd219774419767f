package dev.xmem.core.text.hash;

import dev.xmem.Success;
import dev.xmem.spi.ContextHash;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A failure as a query of recall.
 *
 * @param hash the context hash of the failure
 * @param text the excerpt of its error, redacted
 * @param tool the tool of the call that failed
 * @param action the action of the call, redacted
 */
public record RecallQuery(ContextHash hash, String text, String tool, String action) {
    private static final String RETRY = "retry";
    private static final String CUT = "…";

    /** Whether a success is a recorded retry of a single step: its change alone made the call work. */
    public static boolean isRetry(Success success) {
        return success.tags().contains(RETRY) && success.keySteps().size() < 2;
    }

    /**
     * Whether a call has the change of a recorded retry already: every word or member that the retry added, and none
     * that it removed. The retry is no advice for such a call. Decision: docs/adr/0053-fixes-that-a-call-has.md.
     */
    public static boolean isDone(Success retry, String tool, String action) {
        Map<String, List<String>> change = isRetry(retry) ? JsonCall.members(retry.criticalParams()) : Map.of();
        List<String> added = change.getOrDefault("added", List.of());
        List<String> removed = change.getOrDefault("removed", List.of());
        if (added.isEmpty() && removed.isEmpty()) {
            return false;
        }
        Set<String> parts = new HashSet<>();
        CommandLine.works(tool, action).forEach(work -> parts.addAll(work.all()));
        if (parts.isEmpty()) {
            parts.addAll(JsonCall.parts(action));
        }
        return added.stream().allMatch(part -> has(parts, part))
                && removed.stream().noneMatch(part -> has(parts, part));
    }

    /** Whether a call has a part, which may be cut off after a number of characters. */
    private static boolean has(Set<String> parts, String part) {
        String head = part.endsWith(CUT) ? part.substring(0, part.length() - 1) : null;
        return parts.contains(part) || head != null && parts.stream().anyMatch(own -> own.startsWith(head));
    }
}
