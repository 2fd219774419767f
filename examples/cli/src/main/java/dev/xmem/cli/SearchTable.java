package dev.xmem.cli;

import dev.xmem.Directive;
import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Match;
import dev.xmem.Note;
import dev.xmem.Page;
import dev.xmem.Success;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A page of hits for a person at a terminal: grouped by family, with counts, ages and colours. */
final class SearchTable {
    private static final int WIDTH = 100;
    private static final int NAME = 60;
    private static final int LINES = 3;

    private final Style style;
    private final Instant now;

    SearchTable(Style style, Instant now) {
        this.style = style;
        this.now = now;
    }

    String text(Page page) {
        Map<String, List<Entry>> groups = new LinkedHashMap<>();
        for (Match match : page.matches()) {
            groups.computeIfAbsent(group(match.entry()), name -> new ArrayList<>())
                    .add(match.entry());
        }
        StringBuilder out = new StringBuilder();
        groups.forEach((name, entries) -> {
            out.append(style.bold(Style.line(name, NAME)));
            out.append(style.dim("  " + entries.size() + "×  "
                            + Style.age(entries.get(0).ts(), now)))
                    .append('\n');
            for (Entry entry : entries.subList(0, Math.min(LINES, entries.size()))) {
                out.append("  ").append(style.dim(Style.line(entry.id(), NAME))).append("  ");
                out.append(body(entry)).append('\n');
            }
            if (entries.size() > LINES) {
                out.append(style.dim("  and " + (entries.size() - LINES) + " more"))
                        .append('\n');
            }
        });
        out.append('\n').append(page.totalIsExact() ? "" : "At least ");
        out.append(page.total()).append(page.total() == 1 ? " entry" : " entries");
        Integer next = page.nextOffset();
        return out.append(next == null ? "\n" : style.dim(", the next with offset=" + next) + '\n')
                .toString();
    }

    private static String group(Entry entry) {
        return entry instanceof Failure failure
                ? failure.ctxHash()
                : entry instanceof Success success
                        ? success.ctxHash()
                        : entry.kind().name().toLowerCase(Locale.ROOT) + 's';
    }

    private String body(Entry entry) {
        if (entry instanceof Failure failure) {
            String lesson = failure.patternAvoid();
            return lesson == null
                    ? style.bad(Style.line(failure.error(), WIDTH))
                    : style.good("→ " + Style.line(lesson, WIDTH));
        } else if (entry instanceof Success success) {
            return style.good("✓ " + Style.line(success.patternName(), WIDTH));
        } else if (entry instanceof Directive directive) {
            return Style.line(directive.canonical(), WIDTH);
        }
        return entry instanceof Note note ? Style.line(note.content(), WIDTH) : "";
    }
}
