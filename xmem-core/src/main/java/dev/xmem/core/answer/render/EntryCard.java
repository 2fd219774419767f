package dev.xmem.core.answer.render;

import dev.xmem.Directive;
import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Match;
import dev.xmem.Note;
import dev.xmem.Success;
import dev.xmem.core.base.json.IndexedFields;
import dev.xmem.core.base.json.StoredEntries;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** An entry with its fields under labels. Empty fields are left out. */
final class EntryCard implements EntryText {
    private static final Pattern FIRST_WORD = Pattern.compile("^\\s*+([A-Za-z][\\w-]{0,30})(?:\\s|$)");

    private final Instant now;

    EntryCard(Instant now) {
        this.now = now;
    }

    @Override
    public String whole(Match match) {
        Entry entry = match.entry();
        StringBuilder out = new StringBuilder("Entry: ").append(PromptEscaping.id(entry.id()));
        remark(out, entry);
        if (entry instanceof Failure failure) {
            failure(out, failure);
        } else if (entry instanceof Success success) {
            success(out, success);
        } else if (entry instanceof Note note) {
            field(out, "\nType: ", note.type());
            field(out, "\nContent: ", note.content());
            field(out, "\nMeta: ", note.meta());
        } else if (entry instanceof Directive directive) {
            field(out, "\nDirective: ", directive.canonical());
            field(out, "\nScope: ", directive.scope().name().toLowerCase(Locale.ROOT));
            field(out, "\nStrength: ", Integer.toString(directive.strength()));
        } else {
            field(out, "\nLine: ", entry.json());
        }
        return out.toString();
    }

    /** The age where the line has a time, the number of occurrences above one, and whether it is critical. */
    private void remark(StringBuilder out, Entry entry) {
        boolean critical = entry instanceof Failure failure && failure.blockLevel() == Failure.BlockLevel.CRITICAL;
        String age = entry.ts().equals(Instant.EPOCH) ? "" : RelativeTime.of(entry.ts(), now);
        long times = StoredEntries.occurrences(entry);
        String remark = Stream.of(age, times > 1 ? "seen " + times + "×" : "", critical ? "critical" : "")
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(", "));
        out.append(remark.isEmpty() ? "" : " (" + remark + ")");
    }

    private static void failure(StringBuilder out, Failure failure) {
        field(out, "\nTool: ", failure.tool() + " " + operation(failure));
        field(out, "\nError: ", failure.error());
        field(out, "\nPattern to avoid: ", failure.patternAvoid());
        list(out, "\nAlso to avoid:", StoredEntries.texts(failure, "further_advice"), false);
        list(out, "\n\nTried also:", failure.triedAlso(), false);
        field(out, "\n\nNotes: ", failure.notes());
    }

    /** The operation in the hash; else the first word of the action if it is a plain one. */
    private static String operation(Failure failure) {
        String operation = ListLine.HashParts.of(failure).operation();
        if (!operation.isEmpty()) {
            return operation;
        }
        Matcher first = FIRST_WORD.matcher(failure.action());
        return first.find() ? first.group(1) : "";
    }

    private static void success(StringBuilder out, Success success) {
        field(out, "\nTool: ", success.tool());
        field(out, "\nPattern: ", success.patternName());
        list(out, "\nSteps:", success.keySteps(), true);
        String params = success.criticalParams();
        field(out, "\nCritical params: ", params.strip().equals("{}") ? "" : params);
        out.append('\n').append(confidenceLine(success));
    }

    /** How reliable a success is, as the X-MEM protocol writes it. */
    static String confidenceLine(Success success) {
        return "Confidence: " + confidence(success) + " (used " + Plural.of(success.usageCount(), "time") + ")";
    }

    /** At least one decimal and at most two. */
    static String confidence(Success success) {
        return Double.toString(IndexedFields.shown(success.confidence()));
    }

    private static void field(StringBuilder out, String label, @Nullable String value) {
        String text = value == null ? "" : PromptEscaping.block(value);
        out.append(text.isEmpty() ? "" : label + text);
    }

    private static void list(StringBuilder out, String label, List<String> values, boolean numbered) {
        List<String> texts = values.stream()
                .map(PromptEscaping::block)
                .filter(text -> !text.isEmpty())
                .toList();
        out.append(texts.isEmpty() ? "" : label);
        for (int i = 0; i < texts.size(); i++) {
            out.append(numbered ? "\n" + (i + 1) + ". " : "\n- ").append(texts.get(i));
        }
    }
}
