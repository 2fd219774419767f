package dev.xmem.core.agent.guard;

import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.core.text.hash.CommandLine;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Decides what a result without a non-zero exit code proves. A success is believed only if the output agrees: it shows
 * no failure, in particular none that the session had at the same operation, and the exit code is that of the command
 * that did the work, or its output is visible. Thread-safe. Decision: docs/adr/0030-believed-success.md.
 */
final class ResultJudge {
    private final GuardStore store;
    private final Sessions sessions;

    ResultJudge(GuardStore store, Sessions sessions) {
        this.store = store;
        this.sessions = sessions;
    }

    /** What a result proves. */
    enum Verdict {
        FAILED,
        SUCCEEDED,
        /** Neither: the exit code is that of another command, and the output does not show how the work ended. */
        UNKNOWN
    }

    /** A verdict and the reason for it, as a clause. */
    record Judgement(Verdict verdict, String reason) {}

    /** Whether a verdict may read a file or call a plug-in: only a session with failures, or a shared one, needs it. */
    boolean mayBlock(ToolCall call) {
        return sessions.isShared(call.session()) || !failures(call).isEmpty();
    }

    /** The verdict on a call that was reported as a success without its output. */
    Verdict judge(ToolCall call) {
        return unseen(work(call, failures(call))).verdict;
    }

    private static Judgement unseen(CommandLine.@Nullable Work work) {
        return work == null || work.exits()
                ? new Judgement(Verdict.SUCCEEDED, "exit code 0 is that of the command that did the work")
                : new Judgement(Verdict.UNKNOWN, "exit code 0 is that of another command of the line");
    }

    /** The verdict on a call with its output; the exit code is 0 or unknown. */
    Verdict judge(ToolCall call, ToolError result) {
        return judgement(call, result).verdict;
    }

    /** As {@link #judge(ToolCall, ToolError)}, with the reason. */
    Judgement judgement(ToolCall call, ToolError result) {
        sessions.refresh(call.session());
        List<SessionCall> failures = failures(call);
        CommandLine.Work work = work(call, failures);
        String output = result.text();
        if (work != null && foundNothing(call, work, output, result.exitCode() != null)) {
            return new Judgement(Verdict.UNKNOWN, "the line printed that its command found nothing");
        }
        boolean printsError = work == null
                ? OutputClassifier.reportsFailure(call, output)
                : OutputClassifier.reportsFailure(call, work, output, result.exitCode() != null);
        if (printsError) {
            return new Judgement(Verdict.FAILED, "the output reports a failure");
        }
        String redacted = failures.isEmpty() ? output : store.redaction().clean(output);
        Map<String, String> families = new HashMap<>();
        if (failures.stream().anyMatch(failed -> isAgain(failed, redacted, families))) {
            return new Judgement(Verdict.FAILED, "the output shows a failure again that the session had before");
        }
        if (OutputClassifier.isIdle(output)) {
            return new Judgement(Verdict.UNKNOWN, "the output says that nothing was run or changed");
        }
        if (!failures.isEmpty() && OutputClassifier.mentionsFailures(output)) {
            return new Judgement(Verdict.UNKNOWN, "the output counts failures, or has a JSON member that says so");
        }
        boolean nothingNew =
                failures.stream().anyMatch(failed -> failed.info().output().hasAllOf(redacted));
        if (work != null) {
            return judgement(work, output, nothingNew);
        }
        return nothingNew
                ? new Judgement(Verdict.UNKNOWN, "the output has nothing that a failure of the session did not have")
                : new Judgement(Verdict.SUCCEEDED, "the output reports no failure");
    }

    private static Judgement judgement(CommandLine.Work work, String output, boolean nothingNew) {
        Integer code = exitCode(work.exitText(), output);
        if (code != null && code != 0 || hasLine(output, work.failureText())) {
            return new Judgement(Verdict.FAILED, "the line printed that its command failed");
        }
        boolean proven = work.exits() || code != null || hasLine(output, work.successText());
        long lines = output.lines().count();
        boolean visible = !output.isBlank()
                && !work.output().isHidden()
                && lines < work.output().lines();
        if (proven || work.failureText() != null) {
            return new Judgement(Verdict.SUCCEEDED, "exit code or output prove it, and the output reports no failure");
        }
        return visible && !nothingNew
                ? new Judgement(Verdict.SUCCEEDED, "the whole output is visible and reports no failure")
                : new Judgement(
                        Verdict.UNKNOWN,
                        "the exit code is not that of the command, and the output does not show how it ended");
    }

    /** Whether a command such as {@code which} found nothing, and the output reports no failure otherwise. */
    private static boolean foundNothing(ToolCall call, CommandLine.Work work, String output, boolean exited) {
        String said = work.failureText();
        if (said == null || !TrivialFailures.mayFindNothing(work.call()) || !hasLine(output, said)) {
            return false;
        }
        String rest = output.lines()
                .filter(line -> !line.strip().equals(said.strip()))
                .collect(Collectors.joining("\n"));
        return !OutputClassifier.reportsFailure(call, work, rest, exited);
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

    /** @param families the families of the output, by the calls that it would be of: hashing it takes long */
    private boolean isAgain(SessionCall failed, String output, Map<String, String> families) {
        SessionCall.FailureInfo failure = failed.info();
        return failure.output().isDiagnosisIn(output)
                || !OutputClassifier.printsContent(failed.tool(), failed.action())
                        && !failure.isCatchAll()
                        && failure.family()
                                .equals(families.computeIfAbsent(
                                        failed.tool() + '\n' + failed.action(),
                                        call -> store.family(failed.tool(), failed.action(), output)));
    }

    private List<SessionCall> failures(ToolCall call) {
        SessionCall now = new SessionCall(Long.MAX_VALUE, call.tool(), call.action(), "", null);
        List<SessionCall> like = sessions.ifPresent(call.session(), session -> session.failuresLike(now));
        return like == null ? List.of() : like;
    }

    private static CommandLine.@Nullable Work work(ToolCall call, List<SessionCall> failures) {
        SessionCall now = SessionCall.of(call.tool(), call.action());
        for (SessionCall failed : failures) {
            CommandLine.Work like = now.workLike(failed);
            if (like != null) {
                return like;
            }
        }
        return now.work();
    }
}
