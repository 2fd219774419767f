package dev.xmem.core.agent.guard;

import dev.xmem.Failure;
import dev.xmem.ToolError;
import dev.xmem.core.base.json.StoredEntries;
import dev.xmem.core.text.hash.CommandLine;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.TreeSet;

/** Failures of one operation that have one context hash: what speaks for a warning before the next such call. */
final class FailureGroup {
    private static final int MOST_SESSIONS = 64;
    private static final int MOST_SHAPES = 16;
    private static final int MOST_OPERANDS = 2;

    final String operation;
    final String hash;
    private final Set<String> sessions = new LinkedHashSet<>();
    private final Set<String> shapes = new LinkedHashSet<>();
    private Failure newest;
    private boolean critical;
    private boolean refuted;

    FailureGroup(String operation, Failure first) {
        this.operation = operation;
        this.hash = first.ctxHash();
        this.newest = first;
    }

    /** Another failure of the family; it takes back whatever refuted the family before. */
    void add(Failure failure, String shape) {
        newest = failure;
        critical |= failure.blockLevel() == Failure.BlockLevel.CRITICAL;
        refuted = false;
        for (String session : WarningThreshold.sessions(failure)) {
            if (sessions.size() < MOST_SESSIONS) {
                sessions.add(session);
            }
        }
        if (shapes.size() < MOST_SHAPES) {
            shapes.add(shape);
        }
    }

    /** A call that was warned of worked as it was. */
    void refute() {
        refuted = true;
    }

    int evidence() {
        return refuted ? 0 : sessions.size();
    }

    boolean isCritical() {
        return critical;
    }

    Failure newest() {
        return newest;
    }

    /** The forms of the calls that failed so. */
    Set<String> shapes() {
        return Set.copyOf(shapes);
    }

    /** How the newest failed, as a tool would have said it. */
    ToolError error() {
        String evidence = StoredEntries.field(newest, "evidence");
        String said = evidence == null ? newest.error() : evidence;
        String code = StoredEntries.field(newest, "exit_code");
        return code != null && code.matches("-?\\d{1,9}")
                ? ToolError.exit(Integer.parseInt(code), said)
                : ToolError.text(said);
    }

    /** The form of a call: its options without their values, and whether it has operands; of JSON the names of its members. */
    static String shape(String tool, String action) {
        CommandLine.Call call = CommandLine.of(tool, action);
        Set<String> options = new TreeSet<>();
        int operands = 0;
        for (String word : call.words()) {
            if (word.length() > 1 && word.charAt(0) == '-') {
                int sign = word.indexOf('=');
                options.add(sign < 0 ? word : word.substring(0, sign));
            } else {
                operands++;
            }
        }
        return String.join(" ", options) + '/' + Math.min(MOST_OPERANDS + 1, operands);
    }
}
