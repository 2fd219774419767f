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
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Merges duplicate lines into one: the newest, plus what only the others have. Tags, attempts, sessions and ids are
 * joined. Notes are appended. Other advice and other steps are kept in fields of their own. Occurrences and uses are
 * added up, the higher level wins, and the earliest time stays. Lines that differ in any other field are not merged.
 * Used once.
 */
final class EntryMerger {
    /** Lists that are joined, in the order in which they are added to a line that does not have them. */
    private static final String[] JOINED = {
        "tried_also", "further_params", "further_advice", "answers", "further_steps", "tags", "covers"
    };

    // What becomes of a field of another line: it is joined to the list at this place, or one of the following.
    private static final int TRIED_ALSO = 0;
    private static final int FURTHER_PARAMS = 1;
    private static final int FURTHER_ADVICE = 2;
    private static final int ANSWERS = 3;
    private static final int FURTHER_STEPS = 4;
    private static final int JOINED_TAGS = 5;
    private static final int JOINED_COVERS = 6;

    private static final int STEPS = 7;
    private static final int PARAMS = 8;
    private static final int LEVEL = 9;
    private static final int USES = 10;
    /** Nothing, or it is added up or joined by what is {@linkplain #READ read} of each line. */
    private static final int NONE = 11;
    /**
     * It is dropped: it identifies the line, or the lines of a group agree in what counts of it, as in the operation of
     * the action.
     */
    private static final int OF_THE_LINE = 12;

    private static final int OTHER = 13;
    /** The merged line has this value, too. */
    private static final int TAKEN = 14;
    /** It would be lost: the lines are not merged. */
    private static final int LOST = 15;

    /** Fields that the index has of a failure, besides those that are joined. */
    private static final Set<String> INDEXED =
            Set.of("id", "ts", "type", "tool", "ctx_hash", "session_id", "dedupe_key", "target");

    private static final String[] HASHED = AlternateHash.FIELDS.toArray(String[]::new);

    /** Fields that are read of each line. They are read in one loop: each call would be compiled in line. */
    private static final String[] READ = {
        "tags",
        "covers",
        "sessions",
        "session_id",
        "occurrences",
        "usage_count",
        "first_ts",
        "ts",
        "id",
        "notes",
        "pattern_avoid"
    };

    private static final int TAGS = 0;
    private static final int COVERS = 1;
    private static final int SESSIONS = 2;
    private static final int SESSION_ID = 3;
    /** The number of the fields above, of which the merged line has the values of all lines. */
    private static final int KEYS = 4;

    private static final int OCCURRENCES = 4;
    private static final int USAGE_COUNT = 5;
    private static final int FIRST_TS = 6;
    private static final int TS = 7;
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
        @Nullable Object[] read = new @Nullable Object[READ.length];
        boolean plain = read(newest, read);
        occurrences = occurrences(read);
        uses = number(read[USAGE_COUNT], 1);
        first = first(read);
        firstMillis = LineCodec.millis(first);
        isPrivate = isPrivate(read);
        addSessions(read);
        notes.append(read[NOTES] instanceof String text ? text : "");
        joins = plain
                && isWrittenAlike(newest, "ctx_hash")
                && isWrittenAlike(newest, "type")
                && isWrittenAlike(newest, "dedupe_key");
    }

    /** Reads values of a line; returns whether the keys that are joined are texts that are written as they are. */
    private static boolean read(LineFields line, @Nullable Object[] read) {
        boolean plain = true;
        for (int i = 0; i < read.length; i++) {
            int place = line.find(READ[i], 0);
            if (place >= 0) {
                read[i] = line.value(place);
                plain &= i >= KEYS || !line.isRaw(place) && isWrittenAlike(line, place);
            }
        }
        return plain && !(read[SESSION_ID] instanceof List);
    }

    /** Merges an older line; returns false, and changes nothing, if some of it would be lost. */
    boolean add(LineFields other) {
        @Nullable Object[] read = new @Nullable Object[READ.length];
        boolean plain = read(other, read);
        if (isPrivate(read) != isPrivate) {
            return false;
        }
        int[] roles = new int[other.size()];
        for (int i = 0; i < roles.length; i++) {
            roles[i] = role(other, i);
            if (roles[i] == LOST) {
                return false;
            }
        }
        joins &= plain;
        for (int i = 0; i < roles.length; i++) {
            if (roles[i] != NONE) {
                take(roles[i], other.name(i), other.value(i));
            }
        }
        if (read[ID] instanceof String id) {
            set(JOINED_COVERS).add(id);
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

    /** What becomes of a field of another line; {@link #NONE} if the merged line has its value, or needs none. */
    private int role(LineFields other, int place) {
        String name = other.name(place);
        int own = newest.find(name, place);
        if (other.isNull(place) || own >= 0 && newest.isSame(own, other, place)) {
            return NONE;
        }
        int role = role(name);
        boolean owned = own >= 0 && !newest.isNull(own);
        if (role == NONE || role == OF_THE_LINE && owned) {
            return NONE;
        }
        Object ours = changed.isEmpty() ? null : changed.get(name);
        boolean missing = ours == null && !owned;
        if (ours != null && ours.equals(other.value(place))) {
            return NONE;
        }
        boolean texts = !other.isRaw(place) && (ours == null ? !owned || !newest.isRaw(own) : isTexts(ours));
        return switch (role) {
            case OF_THE_LINE -> missing ? TAKEN : NONE;
            case OTHER -> missing ? TAKEN : LOST;
            case LEVEL ->
                !(other.value(place) instanceof String value)
                        ? LOST
                        : missing || value.equals("critical") ? TAKEN : NONE;
            case USES -> !other.isRaw(place) ? LOST : missing ? TAKEN : NONE;
            case PARAMS -> other.isRaw(place) ? PARAMS : LOST;
            default -> texts ? role : LOST;
        };
    }

    /** What becomes of a field with a name. One method that is too large to be compiled in line. */
    private static int role(String name) {
        return switch (name) {
            case "tried_also" -> TRIED_ALSO;
            case "further_params" -> FURTHER_PARAMS;
            case "further_advice" -> FURTHER_ADVICE;
            case "answers" -> ANSWERS;
            case "further_steps" -> FURTHER_STEPS;
            case "tags" -> JOINED_TAGS;
            case "covers" -> JOINED_COVERS;
            case "key_steps" -> STEPS;
            case "critical_params" -> PARAMS;
            case "block_level" -> LEVEL;
            case "usage_count" -> USES;
            case "occurrences", "first_ts", "sessions", "session_id", "notes", "pattern_avoid" -> NONE;
            case "id", "ts", "type", "tool", "action", "error", "evidence", "exit_code" -> OF_THE_LINE;
            case "ctx_hash", "subject", "confidence" -> OF_THE_LINE;
            default -> OTHER;
        };
    }

    /**
     * How often a merged failure happened that is hashed alike, if its indexed keys are known to be those of the
     * newest line and the tags, sessions, covered ids and the ids of the others; else 0.
     */
    long joinedOccurrences() {
        return joins ? Math.max(2, Math.min(Integer.MAX_VALUE, occurrences)) : 0;
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

    private void take(int role, String name, @Nullable Object value) {
        if (role < JOINED.length) {
            set(role).addAll(textsOf(value));
        } else if (role == STEPS) {
            List<String> others = new ArrayList<>(textsOf(value));
            others.removeAll(textsOf(newest.get(name)));
            set(FURTHER_STEPS).addAll(others);
        } else if (role == PARAMS && value instanceof RawJson params) {
            takeParams(params);
        } else if (value != null) {
            changed.put(name, value);
            joins &= !INDEXED.contains(name);
        }
    }

    private void takeParams(RawJson params) {
        Object own = own("critical_params");
        if (own == null || own instanceof RawJson none && none.text().equals("{}")) {
            changed.put("critical_params", params);
        } else if (!params.text().equals("{}") && !params.equals(own)) {
            set(FURTHER_PARAMS).add(params.text());
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
                set(FURTHER_ADVICE).add(advice);
            }
        }
    }

    /** The texts of a joined list: those of the newest line, then those of others. */
    private DistinctTexts set(int place) {
        DistinctTexts texts = joined[place];
        if (texts == null) {
            texts = DistinctTexts.of(textsOf(newest.get(JOINED[place])));
            joined[place] = texts;
        }
        return texts;
    }

    /** Writes the merged line. */
    void write(Schema schema, LineBuffer out) {
        LineCodec.write(schema, newest, values(), out);
    }

    private Map<String, Object> values() {
        Map<String, Object> values = new LinkedHashMap<>(changed);
        for (int i = 0; i < JOINED.length; i++) {
            DistinctTexts added = joined[i];
            Object value = added == null ? newest.get(JOINED[i]) : null;
            List<String> own = textsOf(value);
            if (added == null && own.size() < 2 && !(value instanceof String)) {
                continue;
            }
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
