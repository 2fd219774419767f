package dev.xmem.core.agent.event;

import dev.xmem.RecallHistory;
import dev.xmem.RecallHistory.Day;
import dev.xmem.RecallHistory.Door;
import dev.xmem.RecallHistory.Recalled;
import dev.xmem.RecallHistory.Result;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The lines of a {@link RecallLog}, read: answers, what became of them, texts, and the counts of days. Immutable. */
final class RecallEvents {
    static final String TEXT = "text";
    static final String WORKED = "worked";

    private static final String DAY = "day";
    private static final int MAX_DAYS = 400;
    private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;
    private static final int MAX_COUNT = 1_000_000_000;

    private final List<Map<String, Object>> lines;
    private final Map<String, String> textsByHash = new HashMap<>();
    private final List<Answer> answers = new ArrayList<>();
    private final Map<LocalDate, Counts> days = new TreeMap<>();

    RecallEvents(List<Map<String, Object>> lines) {
        this.lines = lines;
        Map<String, List<Answer>> bySession = new HashMap<>();
        for (Map<String, Object> line : lines) {
            try {
                read(line, bySession);
            } catch (DateTimeException e) {
                // damaged, or not written by a guard
            }
        }
    }

    private void read(Map<String, Object> line, Map<String, List<Answer>> bySession) {
        String kind = field(line, "kind");
        switch (kind) {
            case TEXT -> textsByHash.put(field(line, "hash"), field(line, TEXT));
            case DAY -> days.merge(LocalDate.parse(field(line, DAY)), Counts.of(line), Counts::plus);
            case WORKED -> worked(line, bySession.getOrDefault(key(line), List.of()));
            default -> {
                Door door = door(kind);
                if (door != null) {
                    Answer answer = Answer.of(line, door, textsByHash);
                    answers.add(answer);
                    if (!answer.session.isEmpty() && !answer.ctxHash.isEmpty()) {
                        List<Answer> before = bySession.computeIfAbsent(key(line), key -> new ArrayList<>());
                        if (door == Door.FAILED) {
                            before.forEach(Answer::failedAgain);
                        }
                        before.add(answer);
                    }
                }
            }
        }
    }

    private static void worked(Map<String, Object> line, List<Answer> before) {
        for (Answer answer : before) {
            answer.worked(entries(line));
        }
    }

    private static String key(Map<String, Object> line) {
        return field(line, "session") + ' ' + field(line, "family");
    }

    private static @Nullable Door door(String kind) {
        for (Door door : Door.values()) {
            if (door.name().toLowerCase(Locale.ROOT).equals(kind)) {
                return door;
            }
        }
        return null;
    }

    private static String field(Map<String, Object> line, String name) {
        return line.get(name) instanceof String text ? text : "";
    }

    static List<String> entries(Map<String, Object> line) {
        return line.get("entries") instanceof List<?> ids
                ? ids.stream().map(String::valueOf).toList()
                : List.of();
    }

    private static long number(Map<String, Object> line, String name) {
        String text = String.valueOf(line.get(name));
        return text.matches("[0-9]{1,9}") ? Math.min(MAX_COUNT, Long.parseLong(text)) : 0;
    }

    /** A short name of a text; not cryptographic, as for sessions. */
    static String hash(String text) {
        return HexFormat.of().toHexDigits(EventFile.hash(text, text.length(), MULTIPLIER));
    }

    Set<String> texts() {
        return textsByHash.keySet();
    }

    RecallHistory history() {
        record History(List<Recalled> recalls, List<Day> days) implements RecallHistory {}
        return new History(List.copyOf(answers), List.copyOf(daysWith(answers)));
    }

    private Collection<Counts> daysWith(List<Answer> more) {
        Map<LocalDate, Counts> all = new TreeMap<>(days);
        Set<String> sessions = new HashSet<>();
        for (Answer answer : more) {
            boolean isNew = answer.isTold() && sessions.add(answer.day() + answer.session);
            all.merge(answer.day(), Counts.of(answer, isNew), Counts::plus);
        }
        while (all.size() > MAX_DAYS) {
            all.remove(all.keySet().iterator().next());
        }
        return all.values();
    }

    /** The newer half of the answers, with their texts, after one line for each day of the others. */
    List<Map<String, Object>> shortened() {
        int half = answers.size() / 2;
        List<Map<String, Object>> kept = new ArrayList<>();
        for (Counts day : daysWith(answers.subList(0, half))) {
            kept.add(line(day));
        }
        Map<String, Object> first = answers.isEmpty() ? Map.of() : answers.get(half).line;
        Set<Object> needed = new HashSet<>();
        answers.subList(half, answers.size()).forEach(answer -> needed.add(field(answer.line, TEXT)));
        boolean newer = false;
        for (Map<String, Object> line : lines) {
            newer |= line == first;
            String kind = field(line, "kind");
            boolean isText = kind.equals(TEXT) && needed.contains(field(line, "hash"));
            if (isText || newer && !kind.equals(TEXT) && !kind.equals(DAY)) {
                kept.add(withoutWriter(line));
            }
        }
        return kept;
    }

    private static Map<String, Object> withoutWriter(Map<String, Object> line) {
        Map<String, Object> copy = new LinkedHashMap<>();
        line.forEach((name, value) -> {
            boolean isNumber = name.equals("tokens") || name.equals("repeat");
            if (!name.equals("by")) {
                copy.put(name, isNumber ? number(line, name) : value);
            }
        });
        return copy;
    }

    static Map<String, Object> line(Day day) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("kind", DAY);
        line.put(DAY, day.day().toString());
        line.put("failures", day.failures());
        line.put("repeats", day.repeats());
        line.put("told", day.told());
        line.put(WORKED, day.worked());
        line.put("tokens", day.tokens());
        line.put("sessions", day.sessions());
        return line;
    }

    /** The counts of a day. */
    private record Counts(
            LocalDate day, long failures, long repeats, long told, long worked, long tokens, long sessions)
            implements Day {
        static Counts of(Map<String, Object> line) {
            return new Counts(
                    LocalDate.parse(field(line, DAY)),
                    number(line, "failures"),
                    number(line, "repeats"),
                    number(line, "told"),
                    number(line, WORKED),
                    number(line, "tokens"),
                    number(line, "sessions"));
        }

        static Counts of(Answer answer, boolean newSession) {
            boolean failed = answer.door == Door.FAILED;
            return new Counts(
                    answer.day(),
                    failed ? 1 : 0,
                    failed && answer.isRepeat ? 1 : 0,
                    answer.isTold() ? 1 : 0,
                    answer.isTold() && answer.result() == Result.WORKED ? 1 : 0,
                    answer.tokens,
                    newSession ? 1 : 0);
        }

        Counts plus(Counts more) {
            return new Counts(
                    day,
                    failures + more.failures,
                    repeats + more.repeats,
                    told + more.told,
                    worked + more.worked,
                    tokens + more.tokens,
                    sessions + more.sessions);
        }
    }

    /**
     * One answer. What became of it changes only while the lines are read.
     *
     * @param line the line that it was read from
     * @param outcome what became of it
     */
    private record Answer(
            Map<String, Object> line,
            Instant ts,
            String session,
            Door door,
            String ctxHash,
            boolean isRepeat,
            List<String> ids,
            String text,
            int tokens,
            Outcome outcome)
            implements Recalled {
        /** The result of an answer, and the entries that were followed. */
        private static final class Outcome {
            private final Set<String> followed = new LinkedHashSet<>();
            private Result result = Result.OPEN;
        }

        static Answer of(Map<String, Object> line, Door door, Map<String, String> texts) {
            return new Answer(
                    line,
                    Instant.parse(field(line, "ts")),
                    field(line, "session"),
                    door,
                    field(line, "family"),
                    number(line, "repeat") > 0,
                    entries(line),
                    texts.getOrDefault(field(line, TEXT), ""),
                    (int) number(line, "tokens"),
                    new Outcome());
        }

        void failedAgain() {
            outcome.result = outcome.result == Result.OPEN ? Result.AGAIN : outcome.result;
        }

        void worked(List<String> helped) {
            if (outcome.result != Result.WORKED) {
                outcome.result = Result.WORKED;
                helped.stream().filter(ids::contains).forEach(outcome.followed::add);
            }
        }

        boolean isTold() {
            return tokens > 0;
        }

        LocalDate day() {
            return LocalDate.ofInstant(ts, ZoneOffset.UTC);
        }

        @Override
        public Result result() {
            return outcome.result;
        }

        @Override
        public Set<String> followed() {
            return Set.copyOf(outcome.followed);
        }
    }
}
