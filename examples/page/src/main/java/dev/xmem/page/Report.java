package dev.xmem.page;

import dev.xmem.RecallHistory;
import dev.xmem.Stats;
import dev.xmem.XMemStore;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The overview of a store as one HTML file without scripts and without links: to mail, or to attach to a build. */
public final class Report {
    private static final int WIDTH = 640;
    private static final int HEIGHT = 180;
    private static final int ROWS = 15;
    private static final String STYLE = "body{font:15px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;"
            + "padding:0 1rem;color:#1c2128;background:#fff}h1{font-size:1.3rem}h2{font-size:1rem;margin:2rem 0 .5rem}"
            + "p.big{font-size:2.6rem;font-weight:650;margin:0;line-height:1.1}small,.dim{color:#5b6570}"
            + "table{border-collapse:collapse;width:100%}td,th{text-align:left;padding:.35rem .5rem .35rem 0;"
            + "border-bottom:1px solid #e3e6ea;vertical-align:top;overflow-wrap:anywhere}td.n,th.n{text-align:right}"
            + "svg{width:100%;height:auto}@media(prefers-color-scheme:dark){body{background:#14171c;color:#e6e9ee}"
            + ".dim,small{color:#9aa4b0}td,th{border-color:#2b313a}}";

    private Report() {}

    /**
     * Returns the file: the weeks, the families that cost most, and what the store has. Private entries are counted
     * but not shown.
     *
     * @param name the name of the store, for its reader
     */
    public static String html(XMemStore store, String name, Instant now) {
        Stats stats = store.stats();
        RecallHistory history = stats.recalls();
        Families families = new Families(store, () -> {});
        Families.Grouping grouping = families.group(fields -> !fields.isPrivate());
        LocalDate today = LocalDate.ofInstant(now, ZoneOffset.UTC);
        Trend trend = Trend.of(history, grouping.byDay(), today, Views.WEEKS);
        List<Trend.Week> weeks = trend.weeks();
        Trend.Week last = weeks.get(weeks.size() - 1);
        String rows = grouping.byHash().values().stream()
                .sorted(Comparator.comparingInt(Family::thisWeek)
                        .thenComparingInt(family -> family.count)
                        .reversed())
                .limit(ROWS)
                .map(family -> "<tr><td>" + escaped(family.hash()) + "<br><small>" + escaped(family.newest.error())
                        + "</small><td class=\"n\">" + family.thisWeek() + "<td class=\"n\">" + family.count + "<td>"
                        + (family.hasLesson() ? "yes" : "none") + "</tr>")
                .collect(Collectors.joining());
        String part = stats.failures() > grouping.counted()
                ? " The families are those of the newest " + grouping.counted() + " failures."
                : "";
        return "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">"
                + "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
                + "<meta name=\"viewport\" content=\"width=device-width\"><title>xmem report</title><style>" + STYLE
                + "</style></head><body><h1>xmem</h1><p class=\"dim\">" + escaped(name) + " · " + today + "</p>"
                + "<p class=\"big\">" + (last.rate() < 0 ? "–" : last.rate() + " %") + "</p>"
                + "<p>of this week's failures were repeats (" + last.repeats() + " of " + last.failures()
                + "). Advice shown " + history.told() + " times, then worked in " + history.worked() + ".</p>"
                + line(weeks)
                + "<h2>Families that cost most</h2><table><tr><th>Family<th class=\"n\">This week<th class=\"n\">All"
                + "<th>Lesson</tr>" + rows + "</table><h2>Store</h2><p>" + stats.failures() + " failures, "
                + stats.successes() + " successes, " + stats.directives() + " rules, " + stats.notes() + " notes."
                + part
                + "</p></body></html>\n";
    }

    private static String line(List<Trend.Week> weeks) {
        int step = WIDTH / Math.max(1, weeks.size());
        StringBuilder points = new StringBuilder();
        StringBuilder marks = new StringBuilder();
        for (int i = 0; i < weeks.size(); i++) {
            Trend.Week week = weeks.get(i);
            int x = step * i + step / 2;
            marks.append(String.format(
                    Locale.ROOT,
                    "<text x=\"%d\" y=\"%d\" font-size=\"10\" text-anchor=\"middle\" fill=\"currentColor\""
                            + " opacity=\".6\">%s</text>",
                    x,
                    HEIGHT - 4,
                    week.from().toString().substring(5)));
            if (week.rate() >= 0) {
                long y = 20 + (HEIGHT - 50) * (100 - week.rate()) / 100;
                points.append(x).append(',').append(y).append(' ');
                marks.append(String.format(
                        Locale.ROOT,
                        "<circle cx=\"%d\" cy=\"%d\" r=\"3.5\" fill=\"#3566d6\"/><text x=\"%d\" y=\"%d\""
                                + " font-size=\"11\" text-anchor=\"middle\" fill=\"currentColor\">%d %%</text>",
                        x,
                        y,
                        x,
                        y - 8,
                        week.rate()));
            }
        }
        return "<svg viewBox=\"0 0 " + WIDTH + ' ' + HEIGHT + "\" role=\"img\" aria-label=\"Repeat rate by week\">"
                + "<polyline fill=\"none\" stroke=\"#3566d6\" stroke-width=\"2\" points=\"" + points + "\"/>" + marks
                + "</svg>";
    }

    /** A stored text as text: no reader sees markup or invisible characters of it. */
    private static String escaped(String text) {
        return Json.shown(text, EntryFields.LINE)
                .chars()
                .mapToObj(c -> switch (c) {
                    case '<' -> "&lt;";
                    case '>' -> "&gt;";
                    case '&' -> "&amp;";
                    case '"' -> "&quot;";
                    case '\'' -> "&#39;";
                    default -> String.valueOf((char) c);
                })
                .collect(Collectors.joining());
    }
}
