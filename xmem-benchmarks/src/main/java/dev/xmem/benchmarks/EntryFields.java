package dev.xmem.benchmarks;

import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Match;
import dev.xmem.Success;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads every field of the entries of xmem, which decodes them: the peers parse every field, too. */
final class EntryFields {
    private EntryFields() {}

    /** Returns the ids, after it has read every field that the corpus writes. */
    static List<String> ids(List<Match> matches) {
        List<String> ids = new ArrayList<>(matches.size());
        for (Match match : matches) {
            if (chars(match.entry()) == 0) {
                throw new IllegalStateException("every entry of the corpus has texts");
            }
            ids.add(match.entry().id());
        }
        return ids;
    }

    /** Returns the ids, after it has read one field. */
    static List<String> idsAfterTags(List<Match> matches) {
        List<String> ids = new ArrayList<>(matches.size());
        for (Match match : matches) {
            if (match.entry().tags().isEmpty()) {
                throw new IllegalStateException("every entry of the corpus has a tag");
            }
            ids.add(match.entry().id());
        }
        return ids;
    }

    private static int chars(Entry entry) {
        int chars = entry.ts().getNano() + chars(entry.tags());
        if (entry instanceof Failure failure) {
            return chars
                    + failure.tool().length()
                    + failure.ctxHash().length()
                    + orEmpty(failure.sessionId())
                    + failure.action().length()
                    + failure.error().length()
                    + orEmpty(failure.patternAvoid())
                    + chars(failure.triedAlso())
                    + failure.blockLevel().name().length()
                    + orEmpty(failure.notes());
        }
        if (entry instanceof Success success) {
            return chars
                    + success.tool().length()
                    + success.ctxHash().length()
                    + orEmpty(success.sessionId())
                    + success.patternName().length()
                    + chars(success.keySteps())
                    + success.criticalParams().length()
                    + (int) success.usageCount()
                    + (int) success.confidence();
        }
        return chars;
    }

    private static int orEmpty(@Nullable String text) {
        return text == null ? 0 : text.length();
    }

    private static int chars(List<String> texts) {
        int chars = 0;
        for (String text : texts) {
            chars += text.length();
        }
        return chars;
    }
}
