package dev.xmem.transcripts;

import dev.xmem.ToolError;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A failure that is not written yet, and how often it was repeated. */
final class PendingFailure {
    /** The tag of what was imported. */
    static final String TAG = "imported";

    private static final int MAX_ERROR_CHARS = 16_384;

    final PastCall first;
    final List<String> group;
    final List<Long> keys = new ArrayList<>();
    Instant last;

    PendingFailure(FailedCall failed) {
        this.first = failed.call();
        this.group = failed.group();
        this.last = failed.call().time();
        keys.add(failed.key());
    }

    String family() {
        return group.get(1);
    }

    String operation() {
        return group.get(2);
    }

    /** The key of the family in its session, which the log has if an import of this machine recorded such a failure. */
    long key() {
        return LongSet.key(first.agent() + '\n' + String.join("\n", group) + "\nrecorded");
    }

    Map<String, Object> fields() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("ts", last.toString());
        fields.put("type", "tool_failure");
        fields.put(
                "tool", first.call().tool().isBlank() ? "unknown" : first.call().tool());
        fields.put("action", first.call().action());
        ToolError error = first.result();
        fields.put("error", error == null ? "" : bounded(error.text()));
        Integer code = error == null ? null : error.exitCode();
        if (code != null) {
            fields.put("exit_code", (long) code);
        }
        if (first.lesson() != null) {
            fields.put("pattern_avoid", first.lesson());
        }
        fields.put("tags", List.of(TAG));
        fields.put("session_id", first.session());
        fields.put("source", first.agent());
        if (first.folder() != null) {
            fields.put("cwd", first.folder());
        }
        if (keys.size() > 1) {
            fields.put("first_ts", first.time().toString());
            fields.put("occurrences", (long) keys.size());
        }
        return fields;
    }

    /** The beginning and the end of a long output. */
    private static String bounded(String text) {
        if (text.length() <= 2 * MAX_ERROR_CHARS) {
            return text;
        }
        return text.substring(0, MAX_ERROR_CHARS) + '\n' + text.substring(text.length() - MAX_ERROR_CHARS);
    }
}
