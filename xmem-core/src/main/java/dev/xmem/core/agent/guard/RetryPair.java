package dev.xmem.core.agent.guard;

import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.JsonDraft;
import dev.xmem.Success;
import dev.xmem.core.answer.render.TextSanitizer;
import dev.xmem.core.base.json.LineBuffer;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.core.base.json.LowerCase;
import dev.xmem.core.base.json.RawJson;
import dev.xmem.core.base.json.Schema;
import dev.xmem.core.base.json.StoredEntries;
import dev.xmem.core.text.hash.CommandLine;
import dev.xmem.core.text.hash.RecallQuery;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A call that failed and a similar call that succeeded after it: the difference between the two is the lesson. The
 * words of the calls are compared; no model reads them. Immutable.
 *
 * <p>Two calls are similar if the commands that did their work have the same tool and operation, and if they are in the
 * same session and at most {@value #REACH} calls apart. What reads the output of a command is no difference. If the
 * arguments are equal as well, the call is flaky and there is no lesson, unless a call in between names the subject of
 * the failure ({@code No module named 'yaml'}, {@code pip install pyyaml}): that call was the fix.
 *
 * @param between the calls in between that belong to the fix
 */
record RetryPair(
        SessionCall succeeded, SessionCall.FailureInfo failure, List<SessionCall> between, CallDiff difference) {
    /** The maximum number of calls from a failure to the success that answers it. */
    static final int REACH = 10;

    private static final int MAX_CALLS_BETWEEN = 3;
    private static final int MAX_STEP_CHARS = 300;
    private static final int MAX_NAME_CHARS = 100;
    private static final int MIN_SUBJECT_CHARS = 3;
    private static final String TIMEOUT = "timeout";
    private static final Pattern NUMBER = Pattern.compile("\\d+");
    private static final Pattern LIMIT = Pattern.compile("(?:\\w+: |\\w+=)?\\d+(?:\\.\\d+)?[a-z]{0,2}|timeout");

    /** The pair of two calls; null if they teach nothing. */
    static @Nullable RetryPair of(SessionCall failed, SessionCall succeeded, List<SessionCall> between) {
        SessionCall.FailureInfo failure = failed.failure();
        long distance = succeeded.number() - failed.number();
        if (failure == null || !failed.isLike(succeeded) || distance < 1 || distance > REACH) {
            return null;
        }
        CallDiff difference = CallDiff.between(failed, succeeded);
        List<SessionCall> changes = between.stream()
                .filter(call -> call.failure() == null && !failed.isLike(call) && !call.isReadOnly())
                .filter(call -> !isForced(call, failure))
                .toList();
        List<SessionCall> fixes = changes.stream()
                .filter(call -> isPreparation(call, failure)
                        && (!OtherWork.writesFiles(call) || call.prepares() && !OtherWork.isEditor(call.tool())))
                .toList();
        boolean edited = between.stream()
                .anyMatch(call -> call.failure() == null
                        && OtherWork.writesFiles(call)
                        && !fixes.contains(call)
                        && (!difference.isEmpty()
                                || fixes.isEmpty()
                                || failure.output().names(call.line())));
        if (InertCall.is(difference)
                || OtherWork.is(difference)
                || isTimeout(failure) && !changesLimits(difference)
                || Shortcut.isForced(
                        difference.added(), call(succeeded, failed), difference.removed(), failure.output())
                || OtherWork.hasOtherSteps(difference)
                || edited && !failure.output().names(String.join(" ", difference.added()))) {
            return null;
        }
        if ((difference.isEmpty() || failed.isSame(succeeded)) && fixes.isEmpty()) {
            return null;
        }
        return new RetryPair(
                succeeded, failure, difference.isEmpty() ? fixes : mostRelevant(changes, failure), difference);
    }

    private static boolean isForced(SessionCall call, SessionCall.FailureInfo failure) {
        CommandLine.Work work = call.work();
        List<String> added = new ArrayList<>(work == null ? List.of() : work.words());
        added.add(call.line());
        return Shortcut.destroys(call, failure.output())
                || Shortcut.isForced(added, call(call, call), List.of(), failure.output());
    }

    /** The command of a call that does the work of another one. */
    private static CommandLine.Call call(SessionCall call, SessionCall other) {
        CommandLine.Work work = call.workLike(other);
        return work == null ? CommandLine.of(call.tool(), call.action()) : work.call();
    }

    /** Whether the host stopped the call after a time limit; the next call then often does less, or something else. */
    private static boolean isTimeout(SessionCall.FailureInfo failure) {
        return failure.pattern().equals(TIMEOUT);
    }

    /** Whether one option, time or number differs, so that the work is the same. */
    private static boolean changesLimits(CallDiff difference) {
        List<String> removed = difference.removed();
        List<String> added = difference.added();
        boolean other = Stream.concat(removed.stream(), added.stream())
                .anyMatch(part -> !part.startsWith("-") && !LIMIT.matcher(part).matches());
        boolean named = added.stream().anyMatch(part -> !NUMBER.matcher(part).matches());
        return !other && removed.size() < 2 && added.size() <= 2 && (named || removed.size() == added.size());
    }

    /**
     * The success to record, with the hash of the failure; null if the failure has no id yet.
     *
     * @param answered the failure as it was recorded; null if it is not known
     */
    @Nullable JsonDraft draft(String session, @Nullable Entry answered) {
        String answers = failure.id();
        if (answers == null) {
            return null;
        }
        Set<String> steps = new LinkedHashSet<>();
        between.forEach(call -> steps.add(CallTruncation.head(call.line(), MAX_STEP_CHARS)));
        steps.add(CallTruncation.head(succeeded.line(), MAX_STEP_CHARS));
        Success.Draft draft = Success.of(succeeded.tool(), name())
                .action(succeeded.action())
                .signature(failure.pattern().isEmpty() ? failure.family() : failure.pattern())
                .keySteps(steps.toArray(String[]::new))
                .tags("retry")
                .answers(answers)
                .sessionId(session);
        Map<String, @Nullable Object> fields = new HashMap<>(draft.fields());
        fields.put("type", "tool_success");
        fields.put("critical_params", new RawJson(params(answered)));
        fields.put("ctx_hash", failure.family()); // a hasher may put the operation in front of the signature
        LineBuffer line = new LineBuffer();
        LineCodec.write(Schema.SUCCESS, fields, line);
        return JsonDraft.of(new String(line.array(), 0, line.length(), StandardCharsets.UTF_8));
    }

    /** What the retry did that the failed call did not. */
    String name() {
        String name = difference.isEmpty() ? RecallQuery.FIRST + between.get(0).line() : difference.toString();
        return TextSanitizer.cut(TextSanitizer.line(name), MAX_NAME_CHARS);
    }

    /** Whether a suggestion says the same. Where the name is cut, the suggestion must also have the new words. */
    boolean isSaidBy(Suggestion suggestion) {
        String name = name();
        List<String> whole = !difference.added().isEmpty()
                ? difference.added()
                : List.of(difference.isEmpty() ? between.get(0).line() : succeeded.line());
        return suggestion.text().startsWith(name + '\n')
                && (!name.endsWith(TextSanitizer.CUT_MARK) || whole.stream().allMatch(suggestion.text()::contains));
    }

    private String params(@Nullable Entry answered) {
        List<String> members = new ArrayList<>();
        if (!difference.removed().isEmpty()) {
            members.add("\"removed\":" + array(difference.removed()));
        }
        if (!difference.added().isEmpty()) {
            members.add("\"added\":" + array(difference.added()));
        }
        List<String> about = answered instanceof Failure recorded ? about(recorded) : List.of();
        if (!about.isEmpty()) {
            members.add("\"" + RecallQuery.ABOUT + "\":" + array(about));
        }
        return "{" + String.join(",", members) + "}";
    }

    /** What the failure named of the values that the retry added, in its call or in the calls before. */
    private List<String> about(Failure recorded) {
        List<String> fix = new ArrayList<>();
        if (succeeded.work() != null) {
            difference.added().stream().filter(part -> !part.startsWith("cd ")).forEach(fix::add);
        }
        for (SessionCall call : between) {
            CommandLine.works(call.tool(), call.action())
                    .forEach(work -> fix.addAll(work.call().operands()));
        }
        boolean destroys = RecallQuery.destroys(succeeded.line());
        if (destroys && succeeded.work() != null) {
            fix.addAll(succeeded.work().call().operands());
        }
        boolean any = destroys || between.stream().anyMatch(call -> RecallQuery.destroys(call.line()));
        return RecallQuery.about(fix, recorded, StoredEntries.evidence(recorded), failure.subject(), any);
    }

    private static String array(List<String> items) {
        return items.stream().map(TextSanitizer::json).toList().toString();
    }

    /** At most three calls, those that name the subject of the failure first; in the order of the session. */
    private static List<SessionCall> mostRelevant(List<SessionCall> calls, SessionCall.FailureInfo failure) {
        return calls.stream()
                .sorted(Comparator.comparing((SessionCall call) -> !isPreparation(call, failure)))
                .limit(MAX_CALLS_BETWEEN)
                .sorted(Comparator.comparingLong(SessionCall::number))
                .toList();
    }

    /** Whether a call names the subject, or prepares something that the diagnosis names. */
    private static boolean isPreparation(SessionCall call, SessionCall.FailureInfo failure) {
        return namesSubject(call, failure)
                || call.prepares() && failure.output().names(call.line());
    }

    private static boolean namesSubject(SessionCall call, SessionCall.FailureInfo failure) {
        String subject = LowerCase.of(failure.subject());
        return subject.length() >= MIN_SUBJECT_CHARS
                && LowerCase.of(call.action()).contains(subject);
    }
}
