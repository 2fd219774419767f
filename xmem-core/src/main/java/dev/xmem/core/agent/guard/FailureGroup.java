package dev.xmem.core.agent.guard;

import dev.xmem.Advice;
import dev.xmem.Failure;
import dev.xmem.Success;
import dev.xmem.ToolError;
import dev.xmem.core.base.json.StoredEntries;
import dev.xmem.core.text.hash.CommandLine;
import dev.xmem.core.text.hash.RecallQuery;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The recorded failures of one operation that share a context hash: the evidence for a warning before the next such
 * call.
 */
final class FailureGroup {
    /** The number of sessions that must have recorded a failure before it counts as repeated. */
    static final int REPEATED = 2;

    private static final int MAX_SESSIONS = 64;
    private static final int MAX_SHAPES = 16;
    private static final int MAX_OPERANDS = 2;
    private static final int MAX_READ = 16;

    final String hash;
    private final Set<String> sessions = new LinkedHashSet<>();
    final Set<String> shapes = new LinkedHashSet<>();
    final List<Failure> failures = new ArrayList<>();
    Failure newest;
    boolean critical;
    private int lastLine;

    FailureGroup(Failure first) {
        this.hash = first.ctxHash();
        this.newest = first;
    }

    /** Adds a failure, which is newer than those before, and the shape of its call. */
    void add(int line, Failure failure, String shape) {
        lastLine = line;
        newest = failure;
        if (failures.size() < MAX_READ) {
            failures.add(failure);
        }
        critical |= failure.blockLevel() == Failure.BlockLevel.CRITICAL;
        for (String session : StoredEntries.sessionsOrItself(failure)) {
            if (sessions.size() < MAX_SESSIONS) {
                sessions.add(session);
            }
        }
        if (shapes.size() < MAX_SHAPES) {
            shapes.add(shape);
        }
    }

    /** The number of sessions that recorded the failure. */
    int evidence() {
        return sessions.size();
    }

    /** Whether the failure was recorded at or after a line. */
    boolean isSince(int line) {
        return lastLine >= line;
    }

    /** What the memory says about the newest of these failures. */
    Advice advice(GuardStore store) throws IOException {
        return store.recall(newest.tool(), newest.action(), error(newest)).advice();
    }

    /** Whether a fix is for all of these failures: none of them is about another subject. */
    boolean isOfAll(Success fix) {
        return failures.stream()
                .allMatch(failure -> RecallQuery.isAbout(fix, failure, StoredEntries.evidence(failure)));
    }

    /** A stored failure as the error that a tool reports. */
    static ToolError error(Failure failure) {
        String text = StoredEntries.evidence(failure);
        String code = StoredEntries.field(failure, "exit_code");
        boolean known = code != null && code.matches("-?\\d{1,9}");
        return CallTruncation.error(known ? Integer.valueOf(code) : null, text);
    }

    /**
     * The shape of a call: its options without values, or its JSON member names, and the number of operands up to
     * three.
     */
    static String shape(String tool, String action) {
        Set<String> options = new TreeSet<>();
        int operands = 0;
        for (String word : CommandLine.of(tool, action).words()) {
            if (word.length() > 1 && word.charAt(0) == '-') {
                options.add(InertCall.name(word));
            } else {
                operands++;
            }
        }
        return String.join(" ", options) + '/' + Math.min(MAX_OPERANDS + 1, operands);
    }
}
