package dev.xmem.core.agent.guard;

import dev.xmem.Entry;
import dev.xmem.ToolCall;
import dev.xmem.core.base.json.StoredEntries;
import dev.xmem.core.text.hash.CommandLine;
import dev.xmem.core.text.hash.RecallQuery;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A finished call of a session, redacted.
 *
 * @param number its number in the session, from 1
 * @param operation the operation of the call, whatever its result
 * @param failure how it failed; null if it succeeded
 * @param works the commands of the call, read when they are first needed
 */
record SessionCall(
        long number,
        String tool,
        String action,
        String operation,
        @Nullable FailureInfo failure,
        Works works) {
    private static final Set<String> READERS = TrivialFailures.words("readers");
    private static final Set<String> BARE_READERS = TrivialFailures.words("bare-readers");
    private static final Set<String> PREPARING = TrivialFailures.words("preparing");
    private static final int PREPARING_WORDS = 3;
    private static final Set<String> WRITING_READERS = TrivialFailures.words("writing-readers");
    private static final Pattern QUOTED = Pattern.compile("'[^']*+'|\"[^\"$`]*+\"");
    private static final Pattern TO_NO_FILE = Pattern.compile("[\\d&]?>(?:&\\d| ?/dev/null\\b)");
    /** A redirection, a substitution, or an option of a reader that writes or starts a command. */
    private static final Pattern WRITING =
            Pattern.compile("[>(`]|\\s-(?:-?exec|ok|delete|fprint|fls|-output|-in-?place|[xX]\\b)");

    private static final Pattern COMMAND_ENDS = Pattern.compile("[;&|\n]+");
    private static final String NO_TOOL = "shell";
    private static final Pattern CATCH_ALL = Pattern.compile("(?:exit|status|error|code)(?:-.*)?");

    SessionCall(long number, String tool, String action, String operation, @Nullable FailureInfo failure) {
        this(number, tool, action, operation, failure, new Works());
    }

    /** A call of which only the tool and the action matter. */
    static SessionCall of(String tool, String action) {
        return new SessionCall(0, tool, action, "", null);
    }

    /** This call with another number and result. */
    SessionCall with(long otherNumber, @Nullable FailureInfo result) {
        return new SessionCall(otherNumber, tool, action, operation, result, works);
    }

    /** The redacted call, before its result is known. */
    static SessionCall redacted(GuardStore store, long number, ToolCall call) {
        String action = store.redact(call.tool(), call.action());
        return new SessionCall(number, call.tool(), action, store.operation(call.tool(), action), null);
    }

    /**
     * The commands of a call, parsed once. They follow from its tool and action, so they do not count in its equality.
     * Thread-safe.
     */
    static final class Works {
        private volatile @Nullable List<CommandLine.Work> read;

        private List<CommandLine.Work> of(String tool, String action) {
            List<CommandLine.Work> known = read;
            if (known == null) {
                known = CommandLine.works(tool, action);
                read = known;
            }
            return known;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Works;
        }

        @Override
        public int hashCode() {
            return 0;
        }
    }

    /**
     * How a call failed.
     *
     * @param family the value of the context hash
     * @param pattern the part of the context hash that describes the error
     * @param subject the name that the error is about; empty if it names none
     * @param written holds the id of the recorded failure as soon as it is written; null if nothing is recorded
     * @param known the id of the newest stored entry of the same failure; null if there is none
     * @param suggested the suggestions that the agent got
     * @param output the lines that it printed
     */
    record FailureInfo(
            String family,
            String pattern,
            String subject,
            @Nullable AtomicReference<@Nullable String> written,
            @Nullable String known,
            List<Suggestion> suggested,
            OutputLines output) {
        FailureInfo {
            suggested = List.copyOf(suggested);
        }

        /** Whether the family says no more than that the call failed. */
        boolean isCatchAll() {
            return pattern.isEmpty()
                    || pattern.endsWith("failed")
                    || CATCH_ALL.matcher(pattern).matches();
        }

        /** The id that a success answers; null if the failure has none yet. */
        @Nullable String id() {
            String id = written == null ? null : written.get();
            return id == null ? known : id;
        }
    }

    /** How this call failed, which is known to have failed. */
    FailureInfo info() {
        return Objects.requireNonNull(failure);
    }

    /**
     * What a session records at most once an hour: a family, its subject and the operation, which most families do not
     * tell.
     */
    static String recordKey(String family, String subject, String operation) {
        return String.join("\n", family, subject, operation);
    }

    /** Whether an entry is of the operation of this call; one without a call is of all operations. */
    boolean isLike(Entry entry) {
        String itsTool = StoredEntries.field(entry, "tool");
        String itsAction = StoredEntries.field(entry, "action");
        return itsTool == null || itsAction == null || isLike(of(itsTool, itsAction));
    }

    /** Whether another call runs the command that did this call's work: the same operation of the same tool. */
    boolean isLike(SessionCall other) {
        CommandLine.Work work = work();
        if (work != null) {
            return other.workLike(this) != null;
        }
        CommandLine.Call call = CommandLine.of(tool, action);
        return tool.equals(other.tool)
                && call.operation().equals(CommandLine.of(tool, other.action).operation());
    }

    /** The command that did the work: the last one that does not only read; null if the call runs no command. */
    CommandLine.@Nullable Work work() {
        CommandLine.Work found = null;
        for (CommandLine.Work work : works.of(tool, action)) {
            found = found == null || isReadOnly(found.call()) || !isReadOnly(work.call()) ? work : found;
        }
        return found;
    }

    /** The last command of this call that is like the one that did the work of another call; null if none is. */
    CommandLine.@Nullable Work workLike(SessionCall other) {
        CommandLine.Work work = other.work();
        CommandLine.Work found = null;
        if (work != null) {
            for (CommandLine.Work own : works.of(tool, action)) {
                found = own.isLike(work) ? own : found;
            }
        }
        return found;
    }

    /** Whether both calls have the same tool and action. */
    boolean isSame(SessionCall other) {
        return tool.equals(other.tool) && action.equals(other.action);
    }

    /** Whether both calls do the same work, whatever reads their output. */
    boolean isSameWork(SessionCall other) {
        return tool.equals(other.tool) && workKey().equals(other.workKey());
    }

    /** The command that did the work and what is set up for it, without what only reads its output. */
    String workKey() {
        CommandLine.Work work = work();
        return work == null ? action.strip() : String.join(" ", work.all());
    }

    /** Whether the call only reads; such a call is no step of a fix. The tools are listed in {@code trivial.txt}. */
    boolean isReadOnly() {
        CommandLine.Work work = work();
        return isReadOnly(work == null ? CommandLine.of(tool, action) : work.call());
    }

    /** Whether each command of the call only reads and writes no file. A command in doubt may write. */
    boolean changesNothing() {
        if (CommandLine.script(tool, action) == null && action.stripLeading().startsWith("{")) {
            return isReadOnly();
        }
        String line = QUOTED.matcher(line()).replaceAll("_");
        String bare = TO_NO_FILE.matcher(line).replaceAll("");
        return !WRITING.matcher(bare).find()
                && COMMAND_ENDS
                        .splitAsStream(bare)
                        .filter(part -> !part.isBlank())
                        .flatMap(part -> CommandLine.works(NO_TOOL, part).stream())
                        .allMatch(work -> isReadOnly(work.call())
                                && !WRITING_READERS.contains(work.call().tool()));
    }

    /** Whether the call changes what later calls find; the words are listed in {@code trivial.txt}. */
    boolean prepares() {
        CommandLine.Work work = work();
        List<String> words = work == null ? List.of(tool.split("[_.-]")) : work.words();
        return words.stream().limit(PREPARING_WORDS).anyMatch(word -> PREPARING.contains(word.toLowerCase(Locale.ROOT)))
                || work != null
                        && PREPARING.contains(
                                work.call().tool() + ':' + work.call().operation());
    }

    static boolean isReadOnly(CommandLine.Call call) {
        String operation = call.tool() + ':' + call.operation().toLowerCase(Locale.ROOT);
        return READERS.contains(call.tool())
                || READERS.contains(operation)
                || call.operands().isEmpty() && BARE_READERS.contains(operation)
                || call.words().contains("--help")
                || call.words().contains("--version");
    }

    /** The call as a command line. */
    String line() {
        return RecallQuery.line(tool, action);
    }
}
