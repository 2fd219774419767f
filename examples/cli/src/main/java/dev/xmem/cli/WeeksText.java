package dev.xmem.cli;

import dev.xmem.RecallHistory;
import dev.xmem.page.Trend;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;

/** The repeat rate of the last weeks as lines of a terminal, or as JSON. */
final class WeeksText {
    private static final int CELLS = 30;
    private static final long ALL = 100;

    private WeeksText() {}

    static String of(RecallHistory history, int weeks, Style style, boolean json) {
        Trend trend = Trend.of(history, LocalDate.now(ZoneOffset.UTC), weeks);
        return json ? json(trend.weeks()) : text(trend.weeks(), style);
    }

    private static String text(List<Trend.Week> weeks, Style style) {
        StringBuilder out = new StringBuilder(style.bold("Repeat rate by week")).append('\n');
        for (Trend.Week week : weeks) {
            out.append(week.from()).append("  ");
            if (week.rate() < 0) {
                out.append(style.dim("no guard saw a failure; others do not count"))
                        .append('\n');
                continue;
            }
            int full = (int) Math.round(CELLS * week.rate() / (double) ALL);
            out.append(style.bad("█".repeat(full))).append(style.dim("░".repeat(CELLS - full)));
            out.append(String.format("  %3d %%", week.rate()));
            out.append(style.dim("  " + week.repeats() + " of " + CountedNoun.of(week.failures(), "failure")
                            + "; advice shown " + week.told() + ", then worked in " + week.worked()))
                    .append('\n');
        }
        return out.toString();
    }

    private static String json(List<Trend.Week> weeks) {
        return JsonText.object(g -> {
            JsonText.objects(g, "weeks", weeks, week -> {
                g.writeStringField("from", week.from().toString());
                g.writeNumberField("failures", week.failures());
                g.writeNumberField("repeats", week.repeats());
                g.writeNumberField("told", week.told());
                g.writeNumberField("worked", week.worked());
                g.writeNumberField("tokens", week.tokens());
                g.writeNumberField("sessions", week.sessions());
            });
        });
    }
}
