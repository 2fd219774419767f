package dev.xmem.core.agent.guard;

import dev.xmem.Advice;
import dev.xmem.Match;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.ToolGuard.Step;
import dev.xmem.core.agent.guard.ResultJudge.Judgement;
import dev.xmem.core.agent.guard.ResultJudge.Verdict;
import dev.xmem.core.answer.render.Plural;
import dev.xmem.core.answer.render.TextSanitizer;
import dev.xmem.core.text.hash.CommandLine;
import dev.xmem.core.text.hash.RuleBasedHasher;
import dev.xmem.spi.ContextHash;
import dev.xmem.spi.HashInput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Explains one answer of a guard, step by step, from what the guard itself uses. Records nothing. For one call. */
final class GuardExplanation {
    private static final int MAX_CHARS = 160;

    private final GuardStore store;
    private final Sessions sessions;
    private final ResultJudge resultJudge;
    private final List<Step> steps = new ArrayList<>();

    GuardExplanation(GuardStore store, Sessions sessions, ResultJudge resultJudge) {
        this.store = store;
        this.sessions = sessions;
        this.resultJudge = resultJudge;
    }

    @SuppressWarnings("CatchingUnchecked")
    List<Step> steps(ToolCall given, @Nullable ToolError result) {
        if (!store.isOpen()) {
            add("trouble", "the store is closed");
            return steps;
        }
        try {
            ToolCall call = CallTruncation.bounded(given);
            SessionCall described = described(call);
            if (result == null) {
                explainWarning(described);
            } else {
                explainResult(call, described, CallTruncation.bounded(OutputClassifier.unwrapped(result)));
            }
        } catch (Exception | StackOverflowError e) {
            add("trouble", "the memory failed: " + e.getClass().getSimpleName());
        }
        return List.copyOf(steps);
    }

    private void add(String name, String text) {
        steps.add(new Step(name, TextSanitizer.line(text)));
    }

    private static String quoted(String text) {
        return TextSanitizer.call(text, MAX_CHARS);
    }

    private SessionCall described(ToolCall given) {
        SessionCall call = SessionCall.redacted(store, 0, given);
        CommandLine.Work work = call.work();
        add(
                "call",
                "tool " + call.tool() + ", operation " + call.operation()
                        + (work == null
                                ? ", no command line"
                                : ", working command " + quoted(String.join(" ", work.words()))));
        return call;
    }

    private void explainResult(ToolCall call, SessionCall described, ToolError result) throws IOException {
        Integer code = result.exitCode();
        Verdict verdict = Verdict.FAILED;
        if (code != null && code != 0) {
            add("result", "failed: exit code " + code);
        } else {
            Judgement judgement = resultJudge.judgement(call, result);
            verdict = judgement.verdict();
            String line = verdict == Verdict.FAILED ? decidingLine(call, described.work(), result) : "";
            add(
                    "result",
                    verdict.name().toLowerCase(Locale.ROOT) + ": " + judgement.reason() + line
                            + (code == null ? "; there is no exit code" : "; the exit code is 0"));
        }
        String trivial = verdict == Verdict.FAILED ? TrivialFailures.reason(call, result) : null;
        if (trivial != null) {
            add("trivial", "not worth recording: " + trivial);
        } else if (verdict == Verdict.FAILED) {
            explainRecall(call, described, result);
        }
    }

    /** The first line that reports a failure by itself; empty if only the whole output does. */
    private static String decidingLine(ToolCall call, CommandLine.@Nullable Work work, ToolError result) {
        boolean exited = result.exitCode() != null;
        return result.text()
                .lines()
                .filter(line -> work == null
                        ? OutputClassifier.reportsFailure(call, line)
                        : OutputClassifier.reportsFailure(call, work, line, exited))
                .findFirst()
                .map(line -> ", by the line " + quoted(line))
                .orElse("");
    }

    private void explainRecall(ToolCall call, SessionCall described, ToolError result) throws IOException {
        GuardStore.Recalled recalled = store.recall(call.tool(), call.action(), result);
        ContextHash hash = recalled.hash();
        Advice advice = recalled.advice();
        String rule = explanation(hash, described, recalled.excerpt(), result.exitCode());
        add(
                "family",
                hash.value()
                        + (hash.subject().isEmpty() ? "" : ", subject " + hash.subject())
                        + (RuleBasedHasher.isCatchAll(hash)
                                ? "; it tells no cause, so only similar messages count"
                                : "")
                        + (rule.isEmpty() ? "" : "; " + rule));
        boolean known = advice.matches().stream().anyMatch(match -> match.matchType() == Match.MatchType.EXACT);
        if (TrivialFailures.isTransient(result.text()) && !known) {
            add("network", "a transient network failure: it is recorded, and advised on, only if it happens again");
        }
        explainSession(call, described, hash, result);
        add("memory", advice.status().name().toLowerCase(Locale.ROOT).replace('_', ' ') + ": " + advice.reason());
        for (Match match : advice.matches()) {
            String id = match.entry().id();
            boolean told = Pattern.compile(Pattern.quote("entry " + id) + "(?!\\d)")
                    .matcher(advice.text())
                    .find();
            add(
                    "entry",
                    id
                            + (told
                                    ? " is told: "
                                    : " is found, but others say the same, say it better, or use up the space: ")
                            + match.explanation());
        }
        advice.leftOut().forEach((id, why) -> add("entry", id + " is left out: " + why));
    }

    /** The rule and the line that decided the hash, if the built-in hasher made it. */
    private static String explanation(ContextHash hash, SessionCall call, String excerpt, @Nullable Integer code) {
        HashInput input = HashInput.of(call.tool(), call.action()).error(excerpt, code);
        ContextHash explained = new RuleBasedHasher().explain(input);
        return explained.value().equals(hash.value()) ? explained.explanation() : hash.explanation();
    }

    private void explainSession(ToolCall call, SessionCall described, ContextHash hash, ToolError result) {
        if (call.session() == null) {
            add("session", "none: repeats, retry pairs and votes need one");
            return;
        }
        sessions.refresh(call.session());
        OutputLines output = OutputLines.of(call.tool(), call.action(), result.text());
        SessionCall.FailureInfo failure = new SessionCall.FailureInfo(
                hash.value(), hash.pattern(), hash.subject(), null, null, List.of(), output);
        SessionCall failed = described.with(0, failure);
        Integer repeats = sessions.ifPresent(call.session(), session -> session.repeats(failed));
        long since = store.now().toEpochMilli() - FailureHandler.HOUR_MILLIS;
        String key = SessionCall.recordKey(hash.value(), hash.subject(), described.operation());
        Boolean recorded = sessions.ifPresent(call.session(), session -> session.recorded(key, since) != null);
        add(
                "session",
                "this call failed " + Plural.of(repeats == null ? 0 : repeats, "time") + " before, unchanged; "
                        + (Boolean.TRUE.equals(recorded)
                                ? "the failure was recorded within the last hour, so it is not recorded again"
                                : "the failure was not recorded within the last hour"));
    }

    /** The families of failures of the operation, and which of the conditions of a warning each meets. */
    private void explainWarning(SessionCall call) throws IOException {
        Map<String, FailureGroup> groups = new LinkedHashMap<>();
        WarningCache.group(store, call, groups);
        int total = groups.values().stream().mapToInt(FailureGroup::evidence).sum();
        if (groups.isEmpty()) {
            add("warning", "no failure of this operation is known");
        }
        for (FailureGroup group : groups.values()) {
            add("warning", group.hash + ": " + condition(group, total, call));
        }
    }

    /** The first condition of a warning that a group does not meet. */
    private String condition(FailureGroup group, int total, SessionCall call) throws IOException {
        String sessionsKnown = "it failed in " + Plural.of(group.evidence(), "session");
        if (group.evidence() < FailureGroup.REPEATED) {
            return sessionsKnown + ", a warning needs " + FailureGroup.REPEATED;
        }
        if (group.evidence() < WarningCache.MIN_SHARE * total) {
            return sessionsKnown + " of " + total + " of the operation, a warning needs "
                    + Math.round(100 * WarningCache.MIN_SHARE) + " %";
        }
        if (!group.shapes.contains(FailureGroup.shape(call.tool(), call.action()))) {
            return sessionsKnown + ", but with other options or another number of operands than this call";
        }
        Advice advice = group.advice(store);
        boolean helps = !WarningCache.helping(group, advice, call).isEmpty();
        return helps || group.critical
                ? sessionsKnown + "; " + advice.reason()
                : sessionsKnown + ", but no fix is known and it is not marked critical";
    }
}
