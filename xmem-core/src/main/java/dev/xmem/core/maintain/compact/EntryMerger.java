package dev.xmem.core.maintain.compact;

import dev.xmem.core.base.json.LineBuffer;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.core.base.json.LineFields;
import dev.xmem.core.base.json.RawJson;
import dev.xmem.core.base.json.Schema;
import dev.xmem.core.base.json.StoredEntries;
import dev.xmem.core.store.index.AlternateHash;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Merges duplicate lines into one: the newest, plus what only the others have. Tags, attempts, sessions and ids are
 * joined. Notes are appended. Other advice and other steps are kept in fields of their own. Occurrences and uses are
 * added up, the higher level wins, and the earliest time stays. Lines that differ in any other field are not merged.
 * Used once.
 */
final class EntryMerger {
    /**
     * Fields of a covered line that are dropped: they identify the line, or the lines of a group agree in what counts
     * of them, as in the operation of the action.
     */
    private static final Set<String> OF_THE_LINE = Set.of(
            "id",
            "ts",
            "type",
            "tool",
            "action",
            "error",
            "evidence",
            "exit_code",
            "ctx_hash",
            "subject",
            "confidence");

    /** Lists that are joined, in the order in which they are added to a line that does not have them. */
    private static final String[] JOINED = {
        "tried_also", "further_params", "further_advice", "answers", "further_steps", "tags", "covers"
    };

    private static final Set<String> COUNTED =
            Set.of("occurrences", "first_ts", "sessions", "session_id", "notes", "pattern_avoid");

    /** Fields of which another value is not lost. */
    private static final Set<String> ADDED = Set.of("block_level", "key_steps", "critical_params");

    /** Fields that the index has of a failure, besides those that are joined. */
    private static final Set<String> INDEXED =
            Set.of("id", "ts", "type", "tool", "ctx_hash", "session_id", "dedupe_key", "target");

    /** Fields of which the merged line has the keys of all lines. */
    private static final String[] KEYS = {"tags", "covers", "sessions", "session_id"};

    private static final String[] HASHED = AlternateHash.FIELDS.toArray(String[]::new);

    /** Fields that are read of each line. They are read in one loop: each call would be compiled in line. */
    private static final String[] READ = {
        "tags",
        "covers",
        "occurrences",
        "usage_count",
        "first_ts",
        "ts",
        "sessions",
        "session_id",
        "id",
        "notes",
        "pattern_avoid"
    };

    private static final int TAGS = 0;
    private static final int COVERS = 1;
    private static final int OCCURRENCES = 2;
    private static final int USAGE_COUNT = 3;
    private static final int FIRST_TS = 4;
    private static final int TS = 5;
    private static final int SESSIONS = 6;
    private static final int SESSION_ID = 7;
    private static final int ID = 8;
    private static final int NOTES = 9;
    private static final int PATTERN_AVOID = 10;

    private final LineFields newest;
    /** The values that differ from those of the newest line, and those of fields that it does not have. */
    private final Map<String, Object> changed = new LinkedHashMap<>();

    /** Those of the {@link #JOINED} lists that other lines add to. */
    private final @Nullable DistinctTexts[] joined = new @Nullable DistinctTexts[JOINED.length];

    private final DistinctTexts sessions = new DistinctTexts();
    private final StringBuilder notes = new StringBuilder();
    private @Nullable DistinctTexts seenNotes;
    private long occurrences;
    private long uses;
    private @Nullable String first;
    private long firstMillis;
    private final boolean isPrivate;
    /** Whether every indexed key of the merged line is one of a line that it is made of, and none is lost. */
    private boolean joins;

    EntryMerger(LineFields newest) {
        this.newest = newest;
        @Nullable Object[] read = read(newest);
        occurrences = occurrences(read);
        uses = number(read[USAGE_COUNT], 1);
        first = first(read);
        firstMillis = LineCodec.millis(first);
        isPrivate = isPrivate(read);
        addSessions(read);
        notes.append(read[NOTES] instanceof String text ? text : "");
        joins = isPlain(newest)
                && isWrittenAlike(newest, "ctx_hash")
                && isWrittenAlike(newest, "type")
                && isWrittenAlike(newest, "dedupe_key");
    }

    /** Whether the keys that are joined are texts that are written as they are. */
    private static boolean isPlain(LineFields line) {
        for (String name : KEYS) {
            int place = line.find(name, 0);
            if (place >= 0 && (line.isRaw(place) || !isWrittenAlike(line, place))) {
                return false;
            }
        }
        return !(line.get("session_id") instanceof List);
    }

    /** Merges an older line; returns false, and changes nothing, if some of it would be lost. */
    boolean add(LineFields other) {
        @Nullable Object[] read = read(other);
        if (isPrivate(read) != isPrivate) {
            return false;
        }
        for (int i = 0; i < other.size(); i++) {
            if (!newest.isSameField(i, other) && !other.isNull(i) && !fits(other, i)) {
                return false;
            }
        }
        joins &= isPlain(other);
        for (int i = 0; i < other.size(); i++) {
            if (!newest.isSameField(i, other) && !other.isNull(i)) {
                take(other, i);
            }
        }
        if (read[ID] instanceof String id) {
            set("covers").add(id);
        }
        occurrences += occurrences(read);
        uses += number(read[USAGE_COUNT], 1);
        String begin = first(read);
        long beginMillis = LineCodec.millis(begin);
        if (beginMillis <= firstMillis) {
            first = begin;
            firstMillis = beginMillis;
        }
        addSessions(read);
        takeNotes(read[NOTES]);
        takeAdvice(read[PATTERN_AVOID]);
        return true;
    }

    private static @Nullable Object[] read(LineFields line) {
        @Nullable Object[] read = new @Nullable Object[READ.length];
        for (int i = 0; i < read.length; i++) {
            read[i] = line.get(READ[i]);
        }
        return read;
    }

    /**
     * How often a merged failure happened, if its indexed keys are known to be those of the newest line and the tags,
     * sessions, covered ids and the ids of the others; else 0.
     */
    long joinedOccurrences() {
        return joins && isHashedAlike() ? Math.max(2, Math.min(Integer.MAX_VALUE, occurrences)) : 0;
    }

    /** Whether the merged line is known to have the values of the newest line in all fields that are hashed. */
    boolean isHashedAlike() {
        for (String name : HASHED) {
            if (!changed.isEmpty() && changed.containsKey(name) || !isWrittenAlike(newest, name)) {
                return false;
            }
        }
        return true;
    }

    /** A text with half a surrogate pair is written with another character. */
    private static boolean isWrittenAlike(LineFields line, String name) {
        int place = line.find(name, 0);
        return place < 0 || isWrittenAlike(line, place);
    }

    private static boolean isWrittenAlike(LineFields line, int place) {
        return line.isVerbatim(place) || isWrittenAlike(line.value(place));
    }

    private static boolean isWrittenAlike(@Nullable Object value) {
        if (value instanceof List<?> texts) {
            return texts.stream().allMatch(EntryMerger::isWrittenAlike);
        }
        if (value instanceof String text) {
            for (int i = 0; i < text.length(); i++) {
                if (text.charAt(i) >= Character.MIN_SURROGATE) {
                    return false;
                }
            }
        }
        return true;
    }

    private static boolean isPrivate(@Nullable Object[] read) {
        return StoredEntries.isPrivate(textsOf(read[TAGS]));
    }

    /** The value of a field of the merged line, but for those that are made at the end. */
    private @Nullable Object own(String name) {
        Object value = changed.get(name);
        return value == null ? newest.get(name) : value;
    }

    /** Whether the merged line has a value of another line, found by its bytes where they are the same. */
    private boolean has(LineFields other, int place, String name) {
        Object value = changed.get(name);
        if (value != null) {
            return value.equals(other.value(place));
        }
        int own = newest.find(name, place);
        return own >= 0 && newest.isSame(own, other, place);
    }

    private boolean fits(LineFields other, int place) {
        String name = other.name(place);
        if (OF_THE_LINE.contains(name) || COUNTED.contains(name) || has(other, place, name)) {
            return true;
        }
        Object value = other.value(place);
        Object own = own(name);
        if (joinedPlace(name) >= 0 || name.equals("key_steps")) {
            return isTexts(value) && (own == null || isTexts(own));
        }
        return switch (name) {
            case "block_level" -> value instanceof String;
            case "usage_count", "critical_params" -> value instanceof RawJson;
            default -> own == null;
        };
    }

    private void take(LineFields other, int place) {
        String name = other.name(place);
        if (COUNTED.contains(name)) {
            return;
        }
        int list = joinedPlace(name);
        if (list >= 0 || ADDED.contains(name)) {
            if ((list < 0 || joined[list] == null) && has(other, place, name)) {
                return;
            }
            Object value = other.value(place);
            if (list >= 0) {
                set(name).addAll(textsOf(value));
                return;
            } else if (name.equals("key_steps")) {
                List<String> others = new ArrayList<>(textsOf(value));
                others.removeAll(textsOf(newest.get(name)));
                set("further_steps").addAll(others);
                return;
            } else if (value instanceof RawJson params) {
                takeParams(params);
                return;
            } else if ("critical".equals(value)) {
                changed.put(name, value);
                return;
            }
        }
        if (isMissing(name, place)) {
            changed.put(name, Objects.requireNonNull(other.value(place)));
            joins &= !INDEXED.contains(name);
        }
    }

    private boolean isMissing(String name, int place) {
        int own = newest.find(name, place);
        return (own < 0 || newest.isNull(own)) && !changed.containsKey(name);
    }

    private void takeParams(RawJson params) {
        Object own = own("critical_params");
        if (own == null || own instanceof RawJson none && none.text().equals("{}")) {
            changed.put("critical_params", params);
        } else if (!params.text().equals("{}") && !params.equals(own)) {
            set("further_params").add(params.text());
        }
    }

    private void takeNotes(@Nullable Object other) {
        if (other instanceof String text && !text.isEmpty() && seenNotes().add(text)) {
            notes.append(notes.length() == 0 ? "" : "\n").append(text);
        }
    }

    /** The notes that are not appended again: those already merged, and each line of the newest line's own note. */
    private DistinctTexts seenNotes() {
        DistinctTexts seen = seenNotes;
        if (seen == null) {
            String own = notes.toString();
            seen = new DistinctTexts();
            seen.add(own);
            if (own.indexOf('\n') >= 0 || own.indexOf('\r') >= 0) {
                seen.addAll(own.lines().toList());
            }
            seenNotes = seen;
        }
        return seen;
    }

    private void takeAdvice(@Nullable Object other) {
        if (other instanceof String advice) {
            if (!(own("pattern_avoid") instanceof String own)) {
                changed.put("pattern_avoid", advice);
            } else if (!advice.equals(own)) {
                set("further_advice").add(advice);
            }
        }
    }

    private static int joinedPlace(String name) {
        for (int i = 0; i < JOINED.length; i++) {
            if (JOINED[i].equals(name)) {
                return i;
            }
        }
        return -1;
    }

    /** The texts of a list field: those of the newest line, then those that were joined. */
    private DistinctTexts set(String name) {
        int place = joinedPlace(name);
        DistinctTexts texts = joined[place];
        if (texts == null) {
            texts = DistinctTexts.of(textsOf(newest.get(name)));
            joined[place] = texts;
        }
        return texts;
    }

    /** Writes the merged line. */
    void write(LineCodec codec, Schema schema, LineBuffer out) {
        codec.write(schema, newest, values(), out);
    }

    private Map<String, Object> values() {
        Map<String, Object> values = new LinkedHashMap<>(changed);
        for (int i = 0; i < JOINED.length; i++) {
            DistinctTexts added = joined[i];
            Object value = added == null ? newest.get(JOINED[i]) : null;
            List<String> own = textsOf(value);
            List<String> texts = (added == null ? DistinctTexts.of(own) : added).inOrder();
            boolean stays = value instanceof List && texts.size() == own.size();
            if (!texts.isEmpty() && !stays) {
                values.put(JOINED[i], texts);
            }
        }
        List<String> oldestFirst = new ArrayList<>(sessions.inOrder());
        Collections.reverse(oldestFirst);
        values.put("sessions", oldestFirst);
        values.put("occurrences", occurrences);
        if (first != null) {
            values.put("first_ts", first);
        }
        if (seenNotes != null) {
            values.put("notes", notes.toString());
        }
        if (own("usage_count") != null) {
            values.put("usage_count", uses);
        }
        return values;
    }

    /** Adds the sessions of a line: its own, then the others, the newest first. */
    private void addSessions(@Nullable Object[] read) {
        if (read[SESSION_ID] instanceof String own) {
            sessions.add(own);
        }
        List<String> others = textsOf(read[SESSIONS]);
        for (int i = others.size() - 1; i >= 0; i--) {
            sessions.add(others.get(i));
        }
    }

    private static long occurrences(@Nullable Object[] read) {
        return textsOf(read[COVERS]).isEmpty() ? 1 : Math.max(2, number(read[OCCURRENCES], 2));
    }

    private static @Nullable String first(@Nullable Object[] read) {
        return read[FIRST_TS] instanceof String first ? first : read[TS] instanceof String ts ? ts : null;
    }

    private static boolean isTexts(@Nullable Object value) {
        return value instanceof List || value instanceof String;
    }

    @SuppressWarnings("unchecked") // a list of other values is raw
    private static List<String> textsOf(@Nullable Object value) {
        if (value instanceof List<?> list) {
            return (List<String>) list;
        }
        return value instanceof String text ? List.of(text) : List.of();
    }

    static @Nullable String text(LineFields line, String name) {
        return line.get(name) instanceof String text ? text : null;
    }

    private static long number(@Nullable Object value, long otherwise) {
        try {
            if (value instanceof Number number) {
                return number.longValue();
            }
            return value instanceof RawJson raw ? (long) Double.parseDouble(raw.text()) : otherwise;
        } catch (NumberFormatException e) {
            return otherwise;
        }
    }
}
