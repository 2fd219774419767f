package dev.xmem.core.agent.guard;

import dev.xmem.Advice;
import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Match;
import dev.xmem.ToolError;
import dev.xmem.core.answer.render.Fence;
import dev.xmem.core.answer.render.Plural;
import dev.xmem.core.answer.render.RelativeTime;
import dev.xmem.core.answer.render.TextSanitizer;
import dev.xmem.core.base.json.StoredEntries;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Adds what a session knows to the advice of the memory. Thread-safe. */
final class SessionAdvice {
    private static final int MAX_CALL_CHARS = 120;
    private static final List<String> ORDINALS =
            List.of("second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth");

    private final GuardStore store;

    SessionAdvice(GuardStore store) {
        this.store = store;
    }

    /**
     * What a session knows of a failure.
     *
     * @param written holds the id of the recorded failure as soon as it is written; null if nothing is recorded
     * @param repeats how often the call failed unchanged, this time included
     * @param unchanged whether nothing can have changed its result since the last time
     * @param tried the other failed attempts since the first time
     */
    record Known(
            @Nullable AtomicReference<@Nullable String> written,
            int repeats,
            boolean unchanged,
            List<SessionCall> tried) {
        Known {
            tried = List.copyOf(tried);
        }

        static Known of(
                @Nullable AtomicReference<@Nullable String> written,
                Session session,
                SessionCall failed,
                ToolError error) {
            boolean unchanged = session.isUnchangedSince(failed) && !TrivialFailures.mayPass(error.text());
            return new Known(written, session.repeats(failed), unchanged, session.triedSince(failed));
        }
    }

    /**
     * The advice about a failure.
     *
     * @param transientBefore when the same transient failure occurred before; null if the failure is not transient
     */
    GuardAdvice about(Advice advice, Known known, @Nullable Long transientBefore) {
        List<String> lines = new ArrayList<>();
        if (known.repeats > 1) {
            String forecast = known.unchanged ? ": the same call will fail again" : "";
            lines.add(ordinal(known.repeats) + " time in this session, unchanged" + forecast);
            if (!known.tried.isEmpty()) {
                lines.add("tried in between, failed too: " + calls(known.tried));
            }
        } else if (transientBefore != null) {
            lines.add("this network failure repeats: it occurred before, "
                    + RelativeTime.of(Instant.ofEpochMilli(transientBefore), store.now()));
        }
        GuardAdvice own = GuardAdvice.of(advice, known.written);
        return lines.isEmpty()
                ? own.repeated(known.repeats)
                : own.with(lines, store).repeated(known.repeats);
    }

    /**
     * The advice that is told without being asked for: none if no entry has a lesson, a fix, notes or an attempt, or is
     * critical. That a failure was seen before is nothing that the model can use. Decision:
     * docs/adr/0129-told-without-being-asked.md.
     */
    static Advice unasked(Advice advice) {
        boolean empty = advice.status() == Advice.Status.FOUND
                && advice.matches().stream().noneMatch(match -> teaches(match.entry()));
        if (!empty) {
            return advice;
        }
        String reason = advice.reason() + ", but no lesson and no fix is known";
        return GuardAdvice.silent(Advice.Status.NOTHING_RELEVANT, reason).seen(advice.seen());
    }

    private static boolean teaches(Entry entry) {
        return !(entry instanceof Failure failure)
                || failure.patternAvoid() != null
                || failure.blockLevel() == Failure.BlockLevel.CRITICAL
                || failure.notes() != null
                || !failure.triedAlso().isEmpty()
                || !StoredEntries.texts(failure, "further_advice").isEmpty();
    }

    /** The advice about the last failures of a session, newest first. */
    GuardAdvice aboutLast(List<Session.LastFailure> last, List<Integer> repeats, List<Advice> recalled) {
        List<String> lines = new ArrayList<>();
        Map<String, Match> matches = new LinkedHashMap<>();
        Failure.BlockLevel level = Failure.BlockLevel.WARNING;
        for (int i = 0; i < last.size(); i++) {
            SessionCall call = last.get(i).call();
            String times = repeats.get(i) > 1 ? Plural.of(repeats.get(i), "time") + ", unchanged" : "once";
            lines.add("failed in this session, " + times + ": " + calls(List.of(call)));
            GuardAdvice advice = GuardAdvice.of(recalled.get(i), null);
            if (!advice.isEmpty()) {
                lines.add(Fence.inside(advice.text()));
            }
            advice.matches().forEach(match -> matches.putIfAbsent(match.entry().id(), match));
            level = advice.level() == Failure.BlockLevel.CRITICAL ? advice.level() : level;
        }
        String reason = "the session's last " + (last.size() == 1 ? "failure" : last.size() + " failures");
        return GuardAdvice.found(matches.values(), level, reason)
                .repeated(repeats.get(0))
                .with(lines, store);
    }

    private static String calls(List<SessionCall> calls) {
        return calls.stream()
                .map(call -> TextSanitizer.call(call.line(), MAX_CALL_CHARS))
                .collect(Collectors.joining(", "));
    }

    private static String ordinal(int number) {
        if (number - 2 < ORDINALS.size()) {
            return ORDINALS.get(number - 2);
        }
        boolean teen = number % 100 / 10 == 1;
        return number
                + switch (teen ? 0 : number % 10) {
                    case 1 -> "st";
                    case 2 -> "nd";
                    case 3 -> "rd";
                    default -> "th";
                };
    }
}
