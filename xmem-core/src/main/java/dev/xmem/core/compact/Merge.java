package dev.xmem.core.compact;

import dev.xmem.core.record.LineCodec;
import dev.xmem.core.record.RawJson;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes one line of several that say the same: the newest, with what the others knew and it did not. Tags, attempts,
 * sessions and ids are joined, further notes follow its own, other advice and other steps are kept beside its own,
 * occurrences and uses are added up, the higher level wins, and the earliest time stays. Lines that differ in a field of
 * which none of this is true do not become one.
 */
final class Merge {
    /** Of a covered line these say no more than its family does, or only which line it was. */
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

    private static final Set<String> JOINED =
            Set.of("tags", "tried_also", "answers", "further_advice", "further_steps", "further_params");
    private static final Set<String> COUNTED =
            Set.of("covers", "occurrences", "first_ts", "sessions", "session_id", "notes", "pattern_avoid");

    private Merge() {}

    /** The fields of both as one line; null where something would be lost. The first is the newer one. */
    static @Nullable Map<String, @Nullable Object> of(
            Map<String, @Nullable Object> kept, Map<String, @Nullable Object> dropped) {
        Map<String, @Nullable Object> both = new LinkedHashMap<>(kept);
        for (Map.Entry<String, @Nullable Object> field : dropped.entrySet()) {
            if (!take(both, field.getKey(), Objects.requireNonNull(field.getValue()))) {
                return null;
            }
        }
        String id = text(dropped, "id");
        List<String> covers = union(texts(kept, "covers"), texts(dropped, "covers"));
        both.put("covers", union(covers, id == null ? List.of() : List.of(id)));
        both.put("occurrences", occurrences(kept) + occurrences(dropped));
        both.put("first_ts", earlier(first(dropped), first(kept)));
        both.put("sessions", union(sessions(dropped), sessions(kept)));
        joinNotes(both, text(dropped, "notes"));
        joinAdvice(both, text(dropped, "pattern_avoid"));
        return both;
    }

    private static boolean take(Map<String, @Nullable Object> both, String name, Object value) {
        Object own = both.get(name);
        if (OF_THE_LINE.contains(name) || COUNTED.contains(name) || value.equals(own)) {
            return true;
        }
        if (JOINED.contains(name)) {
            boolean lists = isTexts(value) && (own == null || isTexts(own));
            both.put(name, union(texts(both, name), textsOf(value)));
            return lists;
        }
        switch (name) {
            case "block_level" -> {
                if ("critical".equals(value)) {
                    both.put(name, value);
                }
                return value instanceof String;
            }
            case "usage_count" -> {
                both.put(name, number(own, 1) + number(value, 1));
                return value instanceof RawJson;
            }
            case "key_steps" -> {
                return takeSteps(both, value);
            }
            case "critical_params" -> {
                return takeParams(both, value);
            }
            default -> {
                both.putIfAbsent(name, value);
                return own == null;
            }
        }
    }

    private static boolean takeSteps(Map<String, @Nullable Object> both, Object steps) {
        List<String> others = new ArrayList<>(textsOf(steps));
        others.removeAll(texts(both, "key_steps"));
        if (!others.isEmpty()) {
            both.put("further_steps", union(texts(both, "further_steps"), others));
        }
        return isTexts(steps);
    }

    private static boolean takeParams(Map<String, @Nullable Object> both, Object params) {
        Object own = both.get("critical_params");
        if (!(params instanceof RawJson raw)) {
            return false;
        }
        if (own == null || own instanceof RawJson none && none.text().equals("{}")) {
            both.put("critical_params", params);
        } else if (!raw.text().equals("{}")) {
            both.put("further_params", union(texts(both, "further_params"), List.of(raw.text())));
        }
        return true;
    }

    private static void joinNotes(Map<String, @Nullable Object> both, @Nullable String notes) {
        String own = text(both, "notes");
        if (notes != null && !notes.isEmpty() && (own == null || !("\n" + own + "\n").contains("\n" + notes + "\n"))) {
            both.put("notes", own == null || own.isEmpty() ? notes : own + "\n" + notes);
        }
    }

    private static void joinAdvice(Map<String, @Nullable Object> both, @Nullable String advice) {
        String own = text(both, "pattern_avoid");
        if (own == null && advice != null) {
            both.put("pattern_avoid", advice);
        } else if (advice != null && !advice.equals(own)) {
            both.put("further_advice", union(texts(both, "further_advice"), List.of(advice)));
        }
    }

    private static List<String> sessions(Map<String, @Nullable Object> line) {
        String own = text(line, "session_id");
        return union(texts(line, "sessions"), own == null ? List.of() : List.of(own));
    }

    private static long occurrences(Map<String, @Nullable Object> line) {
        return texts(line, "covers").isEmpty() ? 1 : Math.max(2, number(line.get("occurrences"), 2));
    }

    private static @Nullable String first(Map<String, @Nullable Object> line) {
        String first = text(line, "first_ts");
        return first == null ? text(line, "ts") : first;
    }

    private static @Nullable String earlier(@Nullable String a, @Nullable String b) {
        return LineCodec.millis(a) <= LineCodec.millis(b) ? a : b;
    }

    private static List<String> union(List<String> a, List<String> b) {
        Set<String> both = new LinkedHashSet<>(a);
        both.addAll(b);
        return List.copyOf(both);
    }

    private static boolean isTexts(Object value) {
        return value instanceof List || value instanceof String;
    }

    private static List<String> texts(Map<String, @Nullable Object> line, String name) {
        return textsOf(line.get(name));
    }

    private static List<String> textsOf(@Nullable Object value) {
        if (value instanceof List<?> list) {
            return list.stream().map(String.class::cast).toList();
        }
        return value instanceof String text ? List.of(text) : List.of();
    }

    static @Nullable String text(Map<String, @Nullable Object> line, String name) {
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
