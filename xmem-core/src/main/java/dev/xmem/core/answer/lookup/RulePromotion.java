package dev.xmem.core.answer.lookup;

import dev.xmem.Directive;
import dev.xmem.Entry;
import dev.xmem.Success;
import dev.xmem.XMemException;
import dev.xmem.core.answer.directive.ActiveDirectives;
import dev.xmem.core.answer.directive.DirectiveDraft;
import dev.xmem.core.base.json.IndexedFields;
import dev.xmem.core.base.json.StoredEntries;
import dev.xmem.core.store.index.EntryReader;
import dev.xmem.core.store.index.LogSnapshot;
import dev.xmem.core.store.index.StoreSnapshot;
import dev.xmem.core.store.segment.IndexedField;
import dev.xmem.core.store.segment.Postings;
import dev.xmem.core.text.hash.RecallQuery;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.PrimitiveIterator;
import java.util.stream.IntStream;

/** Promotes proven successes to rules. */
public final class RulePromotion {
    private static final int LISTED = 20;
    private static final int SENTENCE_CHARS = 240;

    private RulePromotion() {}

    /**
     * The rule that a success becomes.
     *
     * @throws XMemException.Invalid if it is not proven
     */
    public static Directive.Draft of(Success success) {
        if (!isProven(success)) {
            throw new XMemException.Invalid(
                    "id",
                    "must be that of a proven success. The usage count is " + success.usageCount()
                            + " of " + IndexedFields.PROVEN_USES + " needed, the confidence "
                            + IndexedFields.shown(success.confidence())
                            + " of " + IndexedFields.PROVEN_CONFIDENCE + ".");
        }
        List<String> tags = new ArrayList<>(success.tags());
        tags.add(success.tool());
        return Directive.rule(triple(success))
                .canonical(sentence(success))
                .tags(tags.stream().distinct().toArray(String[]::new));
    }

    private static Directive.Triple triple(Success success) {
        return new Directive.Triple(success.tool() + " " + success.patternName(), "is", "required");
    }

    private static String sentence(Success success) {
        String steps = success.keySteps().isEmpty() ? "" : ": " + String.join("; ", success.keySteps());
        String all = success.tool() + ": " + success.patternName() + steps;
        int length = all.codePointCount(0, all.length());
        return length <= SENTENCE_CHARS ? all : all.substring(0, all.offsetByCodePoints(0, SENTENCE_CHARS - 1)) + "…";
    }

    /** The ids of proven successes that are about no single value and not a directive yet, newest first. */
    public static List<String> candidates(
            StoreSnapshot snapshot, EntryLookup lookup, EntryReader entries, ActiveDirectives active)
            throws IOException {
        List<String> candidates = new ArrayList<>();
        for (LogSnapshot log : snapshot.logs()) {
            PrimitiveIterator.OfInt lines = maybeProven(log);
            while (lines.hasNext() && candidates.size() < LISTED) {
                Entry entry = lookup.folded(snapshot, entries.entry(log.index(), lines.nextInt()));
                if (entry instanceof Success success
                        && isProven(success)
                        && !RecallQuery.isAboutOne(success)
                        && !isHidden(success)
                        && !active.holds(DirectiveDraft.key(triple(success)))) {
                    candidates.add(success.id());
                }
            }
        }
        return candidates;
    }

    /** The lines that prove an entry, and the lines of entries with events, newest first. */
    private static PrimitiveIterator.OfInt maybeProven(LogSnapshot log) {
        IntStream proven = ordinals(log.index().lines().postings(IndexedField.PROVEN, ""), log);
        IntStream voted = log.index().keys(IndexedField.TARGET).stream()
                .flatMapToInt(id -> ordinals(log.index().withId(id), log));
        return IntStream.concat(proven, voted)
                .distinct()
                .map(ordinal -> -ordinal)
                .sorted()
                .map(ordinal -> -ordinal)
                .iterator();
    }

    private static IntStream ordinals(Postings lines, LogSnapshot log) {
        return IntStream.range(0, lines.countBelow(log.count())).map(lines::at).filter(log::shows);
    }

    private static boolean isProven(Success success) {
        return IndexedFields.isProven((double) success.usageCount(), success.confidence());
    }

    private static boolean isHidden(Success success) {
        return StoredEntries.field(success, "dismissed") != null
                || StoredEntries.field(success, "superseded_by") != null;
    }
}
