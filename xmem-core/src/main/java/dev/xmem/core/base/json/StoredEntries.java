package dev.xmem.core.base.json;

import dev.xmem.Directive;
import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Note;
import dev.xmem.Success;
import dev.xmem.UnknownEntry;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Lines as entries: the five kinds, each a view of its line. */
public final class StoredEntries {
    private StoredEntries() {}

    /**
     * The entry that a line stands for.
     *
     * @param kind what the line is
     * @param bytes the line, which the caller does not change any more
     * @param id the id it is shown under
     */
    public static Entry of(LineCodec codec, Entry.Kind kind, byte[] bytes, String id) {
        LazyJsonLine line = new LazyJsonLine(codec, bytes, id);
        return switch (kind) {
            case FAILURE -> new StoredFailure(line);
            case SUCCESS -> new StoredSuccess(line);
            case NOTE -> new StoredNote(line);
            case DIRECTIVE -> new StoredDirective(line);
            case UNKNOWN -> new StoredOther(line);
        };
    }

    /** A field of an entry that has no accessor; null if it is missing, or the entry is of no store. */
    public static @Nullable String field(Entry entry, String name) {
        return entry instanceof LineEntry stored ? stored.line().textOrNull(name) : null;
    }

    /** A field of an entry that is a list of texts; empty if it is missing, or the entry is of no store. */
    public static List<String> texts(Entry entry, String name) {
        return entry instanceof LineEntry stored ? stored.line().texts(name) : List.of();
    }

    /** How often an entry happened: more than once where a compaction made it of several lines. */
    public static long occurrences(Entry entry) {
        return entry instanceof LineEntry stored
                ? IndexedFields.occurrences(
                        stored.line().texts("covers"), stored.line().number("occurrences", 1))
                : 1;
    }

    /** The sessions of an entry that are known by name, each once: several where a compaction made it of several lines. */
    public static Set<String> sessions(Entry entry) {
        Set<String> sessions = new LinkedHashSet<>();
        if (!texts(entry, "covers").isEmpty()) {
            sessions.addAll(texts(entry, "sessions"));
        }
        String own = field(entry, "session_id");
        if (own != null) {
            sessions.add(own);
        }
        return sessions;
    }

    /** The same; an entry without one counts as a session of its own, also after a compaction. */
    public static Set<String> sessionsOrItself(Entry entry) {
        Set<String> sessions = sessions(entry);
        if (sessions.isEmpty()) {
            sessions.add('\n' + entry.id());
            texts(entry, "covers").forEach(covered -> sessions.add('\n' + covered));
        }
        return sessions;
    }

    /**
     * The same where much depends on there being several. Another machine can publish as many sessions as it likes, so all
     * of its are one.
     */
    public static Set<String> independentSessions(Entry entry) {
        int owner = entry.id().lastIndexOf('@');
        return owner < 0 ? sessionsOrItself(entry) : Set.of(entry.id().substring(owner));
    }

    private interface LineEntry {
        LazyJsonLine line();
    }

    private record StoredFailure(LazyJsonLine line) implements Failure, LineEntry {
        @Override
        public String id() {
            return line.id();
        }

        @Override
        public Instant ts() {
            return line.ts();
        }

        @Override
        public Kind kind() {
            return Kind.FAILURE;
        }

        @Override
        public List<String> tags() {
            return line.texts("tags");
        }

        @Override
        public String json() {
            return line.json();
        }

        @Override
        public String tool() {
            return line.text("tool");
        }

        @Override
        public String action() {
            return line.text("action");
        }

        @Override
        public String error() {
            return line.text("error");
        }

        @Override
        public @Nullable String patternAvoid() {
            return line.textOrNull("pattern_avoid");
        }

        @Override
        public List<String> triedAlso() {
            return line.texts("tried_also");
        }

        @Override
        public BlockLevel blockLevel() {
            boolean critical = line.text("block_level").toLowerCase(Locale.ROOT).equals("critical");
            return critical ? BlockLevel.CRITICAL : BlockLevel.WARNING;
        }

        @Override
        public String ctxHash() {
            return line.text("ctx_hash");
        }

        @Override
        public @Nullable String sessionId() {
            return line.textOrNull("session_id");
        }

        @Override
        public @Nullable String notes() {
            return line.textOrNull("notes");
        }

        @Override
        public String toString() {
            return line.json();
        }
    }

    private record StoredSuccess(LazyJsonLine line) implements Success, LineEntry {
        @Override
        public String id() {
            return line.id();
        }

        @Override
        public Instant ts() {
            return line.ts();
        }

        @Override
        public Kind kind() {
            return Kind.SUCCESS;
        }

        @Override
        public List<String> tags() {
            return line.texts("tags");
        }

        @Override
        public String json() {
            return line.json();
        }

        @Override
        public String tool() {
            return line.text("tool");
        }

        @Override
        public String patternName() {
            return line.text("pattern_name");
        }

        @Override
        public List<String> keySteps() {
            return line.texts("key_steps");
        }

        @Override
        public String criticalParams() {
            String object = line.object("critical_params", "{}");
            return object == null ? "{}" : object;
        }

        @Override
        public double confidence() {
            return Math.max(0.0, Math.min(1.0, line.number("confidence", 0.5)));
        }

        @Override
        public long usageCount() {
            return (long) Math.max(0, line.number("usage_count", 1));
        }

        @Override
        public String ctxHash() {
            return line.text("ctx_hash");
        }

        @Override
        public @Nullable String sessionId() {
            return line.textOrNull("session_id");
        }

        @Override
        public List<String> answers() {
            return line.texts("answers");
        }

        @Override
        public String toString() {
            return line.json();
        }
    }

    private record StoredNote(LazyJsonLine line) implements Note, LineEntry {
        @Override
        public String id() {
            return line.id();
        }

        @Override
        public Instant ts() {
            return line.ts();
        }

        @Override
        public Kind kind() {
            return Kind.NOTE;
        }

        @Override
        public List<String> tags() {
            return line.texts("tags");
        }

        @Override
        public String json() {
            return line.json();
        }

        @Override
        public String type() {
            return line.text("type");
        }

        @Override
        public String content() {
            return line.text("content");
        }

        @Override
        public @Nullable String meta() {
            return line.object("meta", null);
        }

        @Override
        public String toString() {
            return line.json();
        }
    }

    private record StoredDirective(LazyJsonLine line) implements Directive, LineEntry {
        @Override
        public String id() {
            return line.id();
        }

        @Override
        public Instant ts() {
            return line.ts();
        }

        @Override
        public Kind kind() {
            return Kind.DIRECTIVE;
        }

        @Override
        public List<String> tags() {
            return line.texts("tags");
        }

        @Override
        public String json() {
            return line.json();
        }

        @Override
        public Scope scope() {
            return line.text("scope").equals("global") ? Scope.GLOBAL : Scope.LOCAL;
        }

        @Override
        public Triple triple() {
            return new Triple(
                    line.inner("triple", "subject"), line.inner("triple", "predicate"), line.inner("triple", "object"));
        }

        @Override
        public String canonical() {
            return line.text("canonical");
        }

        @Override
        public int strength() {
            return (int) Math.max(1, line.number("strength", 1));
        }

        @Override
        public String dedupeKey() {
            return line.text("dedupe_key");
        }

        @Override
        public String confirmation() {
            return "Remembered (" + scope().name().toLowerCase(Locale.ROOT) + "): " + canonical();
        }

        @Override
        public String toString() {
            return line.json();
        }
    }

    private record StoredOther(LazyJsonLine line) implements UnknownEntry, LineEntry {
        @Override
        public String id() {
            return line.id();
        }

        @Override
        public Instant ts() {
            return line.ts();
        }

        @Override
        public Kind kind() {
            return Kind.UNKNOWN;
        }

        @Override
        public List<String> tags() {
            return line.texts("tags");
        }

        @Override
        public String json() {
            return line.json();
        }

        @Override
        public String toString() {
            return line.json();
        }
    }
}
