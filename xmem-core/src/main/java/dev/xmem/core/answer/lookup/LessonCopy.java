package dev.xmem.core.answer.lookup;

import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.JsonDraft;
import dev.xmem.Success;
import dev.xmem.XMemException;
import dev.xmem.core.base.json.LineBuffer;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.core.base.json.MalformedLineException;
import dev.xmem.core.base.json.Schema;
import dev.xmem.core.base.json.StoredEntries;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Copies a lesson to another store: what it says, without what belongs to the store that it comes from. */
public final class LessonCopy {
    private static final Set<String> OF_THE_STORE = Set.of(
            "id",
            "ts",
            "session_id",
            "sessions",
            "first_ts",
            "occurrences",
            "covers",
            "answers",
            "outcomes",
            "pinned",
            "dismissed",
            "superseded_by");

    private LessonCopy() {}

    /** Whether an entry says what to do or to avoid. */
    public static boolean hasAdvice(Entry entry) {
        return entry instanceof Success || entry instanceof Failure failure && failure.patternAvoid() != null;
    }

    /** Whether an entry is marked as private. */
    public static boolean isPrivate(Entry entry) {
        return StoredEntries.isPrivate(entry.tags());
    }

    /** Whether two entries of different stores say the same. */
    public static boolean isSame(Entry one, Entry other) {
        if (one instanceof Failure a && other instanceof Failure b) {
            return a.ctxHash().equals(b.ctxHash())
                    && a.error().equals(b.error())
                    && String.valueOf(a.patternAvoid()).equals(String.valueOf(b.patternAvoid()));
        }
        return one instanceof Success a
                && other instanceof Success b
                && a.ctxHash().equals(b.ctxHash())
                && a.patternName().equals(b.patternName())
                && a.keySteps().equals(b.keySteps());
    }

    /**
     * The draft of a copy.
     *
     * @param answers the ids, in the other store, of the failures that it answers
     */
    public static JsonDraft draft(Entry lesson, List<String> answers) {
        try {
            Map<String, @Nullable Object> fields =
                    new HashMap<>(LineCodec.fields(lesson.json().getBytes(StandardCharsets.UTF_8)));
            fields.keySet().removeAll(OF_THE_STORE);
            if (!answers.isEmpty()) {
                fields.put("answers", answers);
            }
            LineBuffer line = new LineBuffer();
            LineCodec.write(Schema.of(lesson.kind()), fields, line);
            return JsonDraft.of(new String(line.array(), 0, line.length(), StandardCharsets.UTF_8));
        } catch (MalformedLineException e) {
            throw new XMemException.Invalid("id", "is of a line that cannot be read: " + lesson.id() + ".");
        }
    }
}
