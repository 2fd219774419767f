package dev.xmem.page;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.xmem.RecallHistory;
import java.io.IOException;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.temporal.TemporalAdjusters;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The last weeks: how many failures were repeats, what was told, and what worked afterwards. Weeks begin on Monday, in
 * UTC. Immutable.
 */
public final class Trend {
    /** The failures of one day that a store has or its guards saw. */
    record Count(long failures, long repeats) {
        Count plus(Count more) {
            return new Count(failures + more.failures, repeats + more.repeats);
        }
    }

    /**
     * One week.
     *
     * @param from its Monday
     * @param failures the failures of which it is known whether they are repeats
     * @param repeats how many of them were of a family that was met before
     * @param told how often advice was told
     * @param worked how often a call worked after it
     * @param tokens the tokens of the advice
     * @param sessions the sessions that were told something
     */
    public record Week(
            LocalDate from, long failures, long repeats, long told, long worked, long tokens, long sessions) {
        /** Returns the share of repeats in percent; -1 without failures. */
        public long rate() {
            return failures == 0 ? -1 : Math.round(100.0 * repeats / failures);
        }
    }

    private final List<Week> weeks = new ArrayList<>();
    private final boolean seenByGuards;

    private Trend(RecallHistory history, Map<LocalDate, Count> stored, LocalDate today, int count) {
        seenByGuards = history.failures() > 0;
        LocalDate monday = monday(today);
        Map<LocalDate, Week> byMonday = new TreeMap<>();
        for (int i = count - 1; i >= 0; i--) {
            LocalDate from = monday.minusWeeks(i);
            byMonday.put(from, new Week(from, 0, 0, 0, 0, 0, 0));
        }
        for (RecallHistory.Day day : history.days()) {
            byMonday.computeIfPresent(
                    monday(day.day()),
                    (from, week) -> new Week(
                            from,
                            week.failures + day.failures(),
                            week.repeats + day.repeats(),
                            week.told + day.told(),
                            week.worked + day.worked(),
                            week.tokens + day.tokens(),
                            week.sessions + day.sessions()));
        }
        if (!seenByGuards) {
            stored.forEach((day, more) -> byMonday.computeIfPresent(
                    monday(day),
                    (from, week) -> new Week(
                            from,
                            week.failures + more.failures,
                            week.repeats + more.repeats,
                            week.told,
                            week.worked,
                            week.tokens,
                            week.sessions)));
        }
        weeks.addAll(byMonday.values());
    }

    /**
     * The weeks until a day.
     *
     * @param stored the failures that the store has, by day; counted only if no guard has seen a failure
     */
    static Trend of(RecallHistory history, Map<LocalDate, Count> stored, LocalDate today, int weeks) {
        return new Trend(history, stored, today, weeks);
    }

    /** Returns the weeks until today, from what guards saw. */
    public static Trend of(RecallHistory history, LocalDate today, int weeks) {
        return of(history, Map.of(), today, weeks);
    }

    private static LocalDate monday(LocalDate day) {
        return day.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY));
    }

    /** Returns the weeks, oldest first, also those without a failure. */
    public List<Week> weeks() {
        return List.copyOf(weeks);
    }

    void write(JsonGenerator out) throws IOException {
        out.writeBooleanField("seen_by_guards", seenByGuards);
        Json.array(out, "weeks", weeks, (o, week) -> {
            o.writeStringField("from", week.from.toString());
            o.writeNumberField("failures", week.failures);
            o.writeNumberField("repeats", week.repeats);
            o.writeNumberField("told", week.told);
            o.writeNumberField("worked", week.worked);
            o.writeNumberField("tokens", week.tokens);
            o.writeNumberField("sessions", week.sessions);
        });
    }
}
