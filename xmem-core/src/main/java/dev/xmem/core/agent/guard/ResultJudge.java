package dev.xmem.core.agent.guard;

import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.core.text.hash.CommandLine;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Decides what a result without a non-zero exit code proves. A success is believed only if the output agrees: it shows
 * no failure, in particular none that the session had at the same operation, and the exit code is that of the command
 * that did the work, or its output is visible. Thread-safe. Decision: docs/adr/0030-believed-success.md.
 */
final class ResultJudge {
    private final GuardStore store;
    private final Sessions sessions;
    private final OutputClassifier outputClassifier;

    ResultJudge(GuardStore store, Sessions sessions, OutputClassifier outputClassifier) {
        this.store = store;
        this.sessions = sessions;
        this.outputClassifier = outputClassifier;
    }

    /** What a result proves. */
    enum Verdict {
        FAILED,
        SUCCEEDED,
        /** Neither: the exit code is that of another command, and the output does not show how the work ended. */
        UNKNOWN
    }

    /** Whether a verdict may read a file or call a plug-in: only a session with failures, or a shared one, needs it. */
    boolean mayBlock(ToolCall call) {
        return sessions.isShared(call.session()) || !failures(call).isEmpty();
    }

    /** The verdict on a call that was reported as a success without its output. */
    Verdict judge(ToolCall call) {
        CommandLine.Work work = work(call, failures(call));
        return work == null || work.exits() ? Verdict.SUCCEEDED : Verdict.UNKNOWN;
    }

    /** The verdict on a call with its output; the exit code is 0 or unknown. */
    Verdict judge(ToolCall call, ToolError result) {
        sessions.refresh(call.session());
        List<SessionCall> failures = failures(call);
        CommandLine.Work work = work(call, failures);
        String output = result.text();
        boolean printsError = work == null
                ? outputClassifier.reportsFailure(call, output)
                : outputClassifier.reportsFailure(call, work, output, result.exitCode() != null);
        String redacted = failures.isEmpty() ? output : store.redact(output);
        if (printsError || failures.stream().anyMatch(failed -> isAgain(failed, redacted))) {
            return Verdict.FAILED;
        }
        boolean nothingNew =
                failures.stream().anyMatch(failed -> info(failed).output().hasAllOf(redacted));
        return work == null ? nothingNew ? Verdict.UNKNOWN : Verdict.SUCCEEDED : verdict(work, output, nothingNew);
    }

    private static Verdict verdict(CommandLine.Work work, String output, boolean nothingNew) {
        Integer code = exitCode(work.exitText(), output);
        if (code != null && code != 0 || hasLine(output, work.failureText())) {
            return Verdict.FAILED;
        }
        boolean proven = work.exits() || code != null || hasLine(output, work.successText());
        long lines = output.lines().count();
        boolean visible = !output.isBlank()
                && !work.output().isHidden()
                && lines < work.output().lines();
        return proven || work.failureText() != null || visible && !nothingNew ? Verdict.SUCCEEDED : Verdict.UNKNOWN;
    }

    private static boolean hasLine(String output, @Nullable String text) {
        return text != null && output.lines().anyMatch(line -> line.strip().equals(text.strip()));
    }

    /** The exit code that the line itself printed; null if it printed none. */
    private static @Nullable Integer exitCode(@Nullable String text, String output) {
        if (text == null) {
            return null;
        }
        int at = text.indexOf("$?");
        Pattern pattern = Pattern.compile(
                Pattern.quote(text.substring(0, at)) + "(\\d{1,3})" + Pattern.quote(text.substring(at + 2)));
        Matcher matcher = pattern.matcher(output);
        Integer code = null;
        while (matcher.find()) {
            code = Integer.valueOf(matcher.group(1));
        }
        return code;
    }

    private boolean isAgain(SessionCall failed, String output) {
        SessionCall.FailureInfo failure = info(failed);
        return failure.output().isDiagnosisIn(output)
                || !outputClassifier.printsContent(failed.tool(), failed.action())
                        && !failure.isCatchAll()
                        && failure.family().equals(store.family(failed.tool(), failed.action(), output));
    }

    private List<SessionCall> failures(ToolCall call) {
        SessionCall now = new SessionCall(Long.MAX_VALUE, call.tool(), call.action(), "", null);
        List<SessionCall> like = sessions.ifPresent(call.session(), session -> session.failuresLike(now));
        return like == null ? List.of() : like;
    }

    private static SessionCall.FailureInfo info(SessionCall failed) {
        return Objects.requireNonNull(failed.failure());
    }

    private static CommandLine.@Nullable Work work(ToolCall call, List<SessionCall> failures) {
        SessionCall now = new SessionCall(Long.MAX_VALUE, call.tool(), call.action(), "", null);
        for (SessionCall failed : failures) {
            CommandLine.Work like = now.workLike(failed);
            if (like != null) {
                return like;
            }
        }
        return now.work();
    }
}
