package dev.xmem.page;

import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Match;
import dev.xmem.Query;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import dev.xmem.spi.HashInput;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A lesson that a person writes for a family. It is a failure with a lesson, which replaces one that was recorded
 * without, so that the family counts as many failures as before.
 *
 * @param line the failure to record, as a line for {@code xmem record}
 * @param replaced the entries that it replaces
 * @param details what it changes, line by line
 */
record Lesson(String line, List<Entry> replaced, List<String> details) {
    private static final String TAG = "page";
    private static final int MAX_CHARS = 2_000;

    /** @param old the advice that the lesson replaces; null to add one */
    static Lesson of(XMemStore store, String family, String given, @Nullable Entry old) throws Refusal {
        if (given.isEmpty() || given.length() > MAX_CHARS) {
            throw new Refusal("Write a lesson of at most " + MAX_CHARS + " characters.");
        }
        List<Failure> failures = new ArrayList<>();
        Query ofFamily = Query.all().ctxHash(family).kind(Entry.Kind.FAILURE).order(Query.Order.NEWEST);
        for (Match match : store.search(ofFamily.layout(Query.Layout.DATA)).matches()) {
            if (match.entry() instanceof Failure failure) {
                failures.add(failure);
            }
        }
        if (failures.isEmpty()) {
            throw new Refusal("No such family.");
        }
        failures.removeIf(failure -> !isOfItsFamily(failure));
        if (failures.isEmpty()) {
            throw new Refusal(
                    "What is stored of this failure does not say why it is of this family, so the lesson would"
                            + " not be shown. Record the failure again with its whole output, its exit code and the lesson:"
                            + " xmem record.");
        }
        Failure replaced = old instanceof Failure failure
                ? failure
                : failures.stream()
                        .filter(Lesson::isOneWithoutLesson)
                        .findFirst()
                        .orElse(null);
        Failure source = replaced != null && isOfItsFamily(replaced) ? replaced : failures.get(0);
        return of(source, replaced, old, redacted(given), given);
    }

    private static Lesson of(
            Failure source, @Nullable Failure replaced, @Nullable Entry old, String lesson, String given) {
        EntryFields stored = new EntryFields(source);
        Integer code = stored.exitCode();
        Set<String> tags = new LinkedHashSet<>(replaced == null ? List.of() : replaced.tags());
        tags.add(TAG);
        boolean isPrivate = stored.isPrivate() || old != null && new EntryFields(old).isPrivate();
        if (isPrivate) {
            tags.removeIf(Entry.PRIVATE::equalsIgnoreCase);
            tags.add(Entry.PRIVATE);
        }
        ToolError error = code == null ? ToolError.text(stored.evidence()) : ToolError.exit(code, stored.evidence());
        Failure.Draft draft = Failure.of(ToolCall.of(source.tool(), source.action()), error)
                .patternAvoid(lesson)
                .tags(tags.toArray(new String[0]));
        List<String> others = new ArrayList<>();
        int occurrences = 1;
        if (replaced != null) {
            EntryFields fields = new EntryFields(replaced);
            others.addAll(fields.furtherAdvice());
            others.remove(lesson);
            occurrences = fields.occurrences();
            String session = replaced.sessionId();
            String notes = replaced.notes();
            List<String> tried = replaced.triedAlso();
            Failure.BlockLevel level = replaced.blockLevel();
            draft = level == Failure.BlockLevel.CRITICAL ? draft.blockLevel(level) : draft;
            draft = tried.isEmpty() ? draft : draft.triedAlso(tried.toArray(new String[0]));
            draft = session == null ? draft : draft.sessionId(session);
            draft = notes == null ? draft : draft.notes(notes);
        }
        List<String> details = new ArrayList<>();
        details.add("An agent that meets this failure reads: " + lesson);
        if (!lesson.equals(given)) {
            details.add("What looks like a secret is left out.");
        }
        if (isPrivate) {
            details.add("It is private, as what it is about.");
        }
        if (!others.isEmpty()) {
            details.add("It also reads what other entries of the merged line advise.");
        }
        if (occurrences > 1) {
            details.add("The merged line stands for " + occurrences + " failures. From now on they count as one.");
        }
        Set<Entry> all = new LinkedHashSet<>();
        if (old != null) {
            details.add("It replaces " + old.id() + '.');
            all.add(old);
        }
        if (replaced == null) {
            details.add("It counts as one more failure, since none was recorded without a lesson.");
        } else if (all.add(replaced)) {
            details.add("It takes the place of " + replaced.id() + ", so that no failure is counted twice.");
        }
        return new Lesson(line(draft, others), List.copyOf(all), List.copyOf(details));
    }

    /** @param others the advice of a merged line that stays */
    private static String line(Failure.Draft draft, List<String> others) {
        return Json.object(out -> {
            out.writeStringField("type", "tool_failure");
            for (Map.Entry<String, Object> field : draft.fields().entrySet()) {
                out.writeFieldName(field.getKey());
                Json.value(out, field.getValue());
            }
            if (!others.isEmpty()) {
                out.writeFieldName("further_advice");
                Json.value(out, others);
            }
        });
    }

    /** Whether a failure stands for one call of this store, and has no lesson. */
    private static boolean isOneWithoutLesson(Failure failure) {
        boolean isOwn = failure.id().indexOf('@') < 0;
        return isOwn && failure.patternAvoid() == null && new EntryFields(failure).occurrences() == 1;
    }

    /** Whether what is stored of a failure says why it is of its family. */
    private static boolean isOfItsFamily(Failure failure) {
        EntryFields stored = new EntryFields(failure);
        HashInput input = HashInput.of(failure.tool(), failure.action()).error(stored.evidence(), stored.exitCode());
        return XMem.hasher().hash(input).value().equals(failure.ctxHash());
    }

    /** A text as a store keeps it: without secrets. */
    static String redacted(String text) {
        try (XMemStore scratch = XMem.inMemory()) {
            String kept = scratch.recordFailure(
                            Failure.of("page", "preview", "preview").patternAvoid(text))
                    .patternAvoid();
            return kept == null ? "" : kept;
        }
    }
}
