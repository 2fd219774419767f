package dev.xmem.core.base.json;

import dev.xmem.Directive;
import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Layer;
import dev.xmem.Note;
import dev.xmem.Success;
import dev.xmem.UnknownEntry;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Creates entries from stored lines, and reads fields of entries that the public interfaces do not show.
 * Decision: docs/adr/0019-types-of-the-api.md.
 */
public final class StoredEntries {
    private StoredEntries() {}

    /**
     * Creates the entry of a line.
     *
     * @param kind the kind of the entry
     * @param bytes the line; the caller must not change it afterwards
     * @param id the id under which the entry is shown
     */
    public static Entry of(Entry.Kind kind, byte[] bytes, String id) {
        return switch (kind) {
            case FAILURE -> new StoredFailure(bytes, id);
            case SUCCESS -> new StoredSuccess(bytes, id);
            case NOTE -> new StoredNote(bytes, id);
            case DIRECTIVE -> new StoredDirective(bytes, id, "");
            case UNKNOWN -> new StoredUnknown(bytes, id);
        };
    }

    /** The id in a line with these fields; null where it has none, or the fields were not read. */
    public static @Nullable String id(@Nullable LineFields fields) {
        return fields != null && fields.get("id") instanceof String text && !text.isBlank() ? text : null;
    }

    /**
     * As {@link #of(LineCodec, Entry.Kind, byte[], String)}.
     *
     * @param fields the fields of the line; null if they were not read, or it is in another form
     */
    public static Entry of(Entry.Kind kind, byte[] bytes, @Nullable LineFields fields, String id) {
        Entry entry = of(kind, bytes, id);
        if (fields != null && entry instanceof StoredEntry stored) {
            stored.fields = fields;
        }
        return entry;
    }

    /** A directive whose confirmation ends in a sentence; unchanged if it was not read from a store. */
    public static Directive confirmedWith(Directive directive, String sentence) {
        return directive instanceof StoredDirective stored ? stored.confirmedWith(sentence) : directive;
    }

    /** Whether one of these tags marks an entry as private. */
    public static boolean isPrivate(List<String> tags) {
        for (int i = 0; i < tags.size(); i++) {
            if (tags.get(i).equalsIgnoreCase(Entry.PRIVATE)) {
                return true;
            }
        }
        return false;
    }

    /** The same entry, shown under another id. */
    public static Entry shownAs(Entry entry, String id) {
        if (!(entry instanceof StoredEntry stored)) {
            return entry;
        }
        Entry shown = of(entry.kind(), stored.bytes, id);
        if (shown instanceof StoredEntry copy) {
            copy.fields = stored.fields; // parsed once for all that show the entry
        }
        return shown;
    }

    /** The length of the line of an entry, in bytes; 0 if it was not read from a store. */
    public static int bytes(Entry entry) {
        return entry instanceof StoredEntry stored ? stored.bytes.length : 0;
    }

    /** A field of an entry as text; null if it is missing or the entry was not read from a store. */
    public static @Nullable String field(Entry entry, String name) {
        return entry instanceof StoredEntry stored ? stored.textOrNull(name) : null;
    }

    /** A field of an entry as a list; empty if it is missing or the entry was not read from a store. */
    public static List<String> texts(Entry entry, String name) {
        return entry instanceof StoredEntry stored ? stored.texts(name) : List.of();
    }

    /** The excerpt of a failure's output: its {@code evidence}, or its {@code error} if there is no more. */
    public static String evidence(Failure failure) {
        String evidence = field(failure, "evidence");
        return evidence == null ? failure.error() : evidence;
    }

    /** How often an entry happened: more than once if a compaction merged several lines into it. */
    public static long occurrences(Entry entry) {
        if (!(entry instanceof StoredEntry stored)) {
            return 1;
        }
        List<String> covers = stored.texts("covers");
        long given = IndexedFields.occurrences(covers, stored.number("occurrences", 1));
        return isOfPeer(entry.id()) ? IndexedFields.ofPeer(covers, given) : given;
    }

    /** Whether an id shows that a peer recorded the entry: it ends in {@code @} and the beginning of a replica. */
    public static boolean isOfPeer(String id) {
        String plain = id;
        for (Layer layer : Layer.values()) {
            String suffix = layer.suffix();
            plain = !suffix.isEmpty() && plain.endsWith(suffix)
                    ? plain.substring(0, plain.length() - suffix.length())
                    : plain;
        }
        return plain.indexOf('@') >= 0;
    }

    /** The distinct session ids of an entry: several if a compaction merged several lines into it. */
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

    /**
     * Like {@link #sessions}, but a line without a session id counts as a session of its own, also after a compaction.
     */
    public static Set<String> sessionsOrItself(Entry entry) {
        Set<String> sessions = sessions(entry);
        if (sessions.isEmpty()) {
            sessions.add('\n' + entry.id());
            texts(entry, "covers").forEach(covered -> sessions.add('\n' + covered));
        }
        return sessions;
    }

    /**
     * The sessions of an entry as evidence for a decision. All sessions of another replica count as one, because a
     * replica can publish any number of session ids.
     */
    public static Set<String> independentSessions(Entry entry) {
        int owner = entry.id().lastIndexOf('@');
        return owner < 0 ? sessionsOrItself(entry) : Set.of(entry.id().substring(owner));
    }

    /**
     * What the entries of all kinds have in common: a line, parsed when its first field is read. Immutable. It cannot
     * implement the sealed {@link Entry}; its subclasses do.
     */
    abstract static class StoredEntry {
        private final Entry.Kind kind;
        final byte[] bytes;
        private final String id;
        /** Null until the first field is read. */
        private volatile @Nullable LineFields fields;

        StoredEntry(Entry.Kind kind, byte[] bytes, String id) {
            this.kind = kind;
            this.bytes = bytes;
            this.id = id;
        }

        public String id() {
            return id;
        }

        public Entry.Kind kind() {
            return kind;
        }

        public List<String> tags() {
            return texts("tags");
        }

        public String tool() {
            return text("tool");
        }

        public String ctxHash() {
            return text("ctx_hash");
        }

        public @Nullable String sessionId() {
            return textOrNull("session_id");
        }

        public String json() {
            int end = bytes.length;
            while (end > 0 && (bytes[end - 1] == '\r' || bytes[end - 1] == ' ')) {
                end--;
            }
            return new String(bytes, 0, end, StandardCharsets.UTF_8);
        }

        public Instant ts() {
            return Instant.ofEpochMilli(Math.max(0, LineCodec.millis(textOrNull("ts"))));
        }

        /** The field as text; empty if it is missing. */
        String text(String field) {
            String text = textOrNull(field);
            return text == null ? "" : text;
        }

        /** The field as text; null if it is missing. */
        @Nullable String textOrNull(String field) {
            Object value = value(field);
            if (value == null || value instanceof String) {
                return (String) value;
            }
            return value instanceof RawJson raw ? raw.text() : value.toString();
        }

        /** The field as a list; a single text is read as a list of one. */
        List<String> texts(String field) {
            Object value = value(field);
            if (value instanceof String text) {
                return List.of(text);
            } else if (value == null || value instanceof RawJson) {
                return List.of();
            }
            @SuppressWarnings("unchecked") // a list of other values is raw JSON
            List<String> texts = (List<String>) value;
            return texts;
        }

        /** The field as a JSON object; {@code otherwise} if it is missing or not an object. */
        @Nullable String object(String field, @Nullable String otherwise) {
            return value(field) instanceof RawJson raw && raw.text().startsWith("{") ? raw.text() : otherwise;
        }

        /** The field as a number; {@code otherwise} if it is missing or not a number. */
        double number(String field, double otherwise) {
            try {
                String text = textOrNull(field);
                double number = text == null ? otherwise : Double.parseDouble(text);
                return Double.isNaN(number) ? otherwise : number;
            } catch (NumberFormatException e) {
                return otherwise;
            }
        }

        /** A text field of an object field; empty if it is missing. */
        String inner(String field, String name) {
            String object = object(field, null);
            if (object == null) {
                return "";
            }
            try {
                Object value = LineCodec.fields(object.getBytes(StandardCharsets.UTF_8))
                        .get(name);
                return value instanceof String text ? text : "";
            } catch (MalformedLineException e) {
                return "";
            }
        }

        private @Nullable Object value(String field) {
            LineFields known = fields;
            if (known == null) {
                known = read();
                fields = known;
            }
            return known.get(field);
        }

        private LineFields read() {
            try {
                return LineCodec.lineFields(bytes);
            } catch (MalformedLineException e) {
                return LineFields.of(Map.of());
            }
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof StoredEntry entry
                    && kind == entry.kind
                    && id.equals(entry.id)
                    && Arrays.equals(bytes, entry.bytes);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(bytes);
        }

        @Override
        public String toString() {
            return json();
        }
    }

    private static final class StoredFailure extends StoredEntry implements Failure {
        private static final String CRITICAL = "critical";

        StoredFailure(byte[] bytes, String id) {
            super(Kind.FAILURE, bytes, id);
        }

        @Override
        public String action() {
            return text("action");
        }

        @Override
        public String error() {
            return text("error");
        }

        @Override
        public @Nullable String patternAvoid() {
            return textOrNull("pattern_avoid");
        }

        @Override
        public List<String> triedAlso() {
            return texts("tried_also");
        }

        @Override
        public BlockLevel blockLevel() {
            String level = text("block_level");
            boolean critical = level.length() == CRITICAL.length()
                    && level.toLowerCase(Locale.ROOT).equals(CRITICAL)
                    && !isOfPeer(id());
            return critical ? BlockLevel.CRITICAL : BlockLevel.WARNING;
        }

        @Override
        public @Nullable String notes() {
            return textOrNull("notes");
        }
    }

    private static final class StoredSuccess extends StoredEntry implements Success {
        StoredSuccess(byte[] bytes, String id) {
            super(Kind.SUCCESS, bytes, id);
        }

        @Override
        public String patternName() {
            return text("pattern_name");
        }

        @Override
        public List<String> keySteps() {
            return texts("key_steps");
        }

        @Override
        public String criticalParams() {
            String object = object("critical_params", "{}");
            return object == null ? "{}" : object;
        }

        @Override
        public double confidence() {
            return Math.max(0.0, Math.min(1.0, number("confidence", 0.5)));
        }

        @Override
        public long usageCount() {
            return (long) Math.max(0, number("usage_count", 1));
        }

        @Override
        public List<String> answers() {
            return texts("answers");
        }
    }

    private static final class StoredNote extends StoredEntry implements Note {
        StoredNote(byte[] bytes, String id) {
            super(Kind.NOTE, bytes, id);
        }

        @Override
        public String type() {
            return text("type");
        }

        @Override
        public String content() {
            return text("content");
        }

        @Override
        public @Nullable String meta() {
            return object("meta", null);
        }
    }

    private static final class StoredDirective extends StoredEntry implements Directive {
        private final String remark;

        StoredDirective(byte[] bytes, String id, String remark) {
            super(Kind.DIRECTIVE, bytes, id);
            this.remark = remark;
        }

        StoredDirective confirmedWith(String sentence) {
            return new StoredDirective(bytes, id(), (canonical().endsWith(".") ? " " : ". ") + sentence);
        }

        @Override
        public Scope scope() {
            return text("scope").equals("global") ? Scope.GLOBAL : Scope.LOCAL;
        }

        @Override
        public Triple triple() {
            return new Triple(inner("triple", "subject"), inner("triple", "predicate"), inner("triple", "object"));
        }

        @Override
        public String canonical() {
            return text("canonical");
        }

        @Override
        public int strength() {
            return (int) Math.max(1, number("strength", 1));
        }

        @Override
        public String dedupeKey() {
            return text("dedupe_key");
        }

        @Override
        public String confirmation() {
            String sentence = "Remembered (" + scope().name().toLowerCase(Locale.ROOT) + "): " + canonical() + remark;
            return sentence.replaceAll("\\s+", " ");
        }
    }

    private static final class StoredUnknown extends StoredEntry implements UnknownEntry {
        StoredUnknown(byte[] bytes, String id) {
            super(Kind.UNKNOWN, bytes, id);
        }
    }
}
