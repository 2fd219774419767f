package dev.xmem.core.answer.render;

import dev.xmem.Stats;
import dev.xmem.spi.TokenEstimator;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A store's figures in the seed's layout, never above {@value #MOST_TOKENS} tokens. Immutable and thread-safe. */
public final class StatsText {
    /** The most that the text may cost. */
    public static final int MOST_TOKENS = 500;

    private static final int TOP = 3;
    private static final int FILES = 6;
    private static final int NAME_CHARS = 60;
    private static final int KIB = 1024;
    private static final String[] UNITS = {"KB", "MB", "GB", "TB", "PB", "EB"};

    private final TokenEstimator tokens;

    /** Figures whose cost this estimator measures. */
    public StatsText(TokenEstimator tokens) {
        this.tokens = tokens;
    }

    /** The figures as text; names, and in the end the text itself, are cut until the text is cheap enough. */
    public String text(Stats stats) {
        int nameChars = NAME_CHARS;
        String text = text(stats, nameChars);
        while (nameChars > 8 && tokens.estimate(text) > MOST_TOKENS) {
            nameChars /= 2;
            text = text(stats, nameChars);
        }
        return BudgetTruncation.to(MOST_TOKENS, text, tokens);
    }

    private static String text(Stats stats, int nameChars) {
        StringBuilder out = new StringBuilder("📊 X-MEM Statistics\n\nTotal Entries:");
        out.append("\n- Failures: ").append(stats.failures());
        out.append("\n- Successes: ").append(stats.successes());
        out.append(stats.notes() > 0 ? "\n- Notes: " + stats.notes() : "");
        out.append(stats.directives() > 0 ? "\n- Directives: " + stats.directives() : "");
        tools(out, "failure", stats.topToolsByFailures(TOP), nameChars);
        tools(out, "success", stats.topToolsBySuccesses(TOP), nameChars);
        tags(out, stats.topTags(TOP), nameChars);
        storage(out, stats.fileBytes(), nameChars);
        out.append("\n- Last compaction: ").append(day(stats.lastCompaction()));
        String due = stats.compactionDue();
        out.append(due == null ? "" : "\n- Compaction is due: " + due);
        return out.toString();
    }

    private static void tools(StringBuilder out, String what, Map<String, Long> counts, int nameChars) {
        String many = what.equals("success") ? "successes" : what + "s";
        int number = 1;
        out.append(counts.isEmpty() ? "" : "\n\nTop Tools (by " + many + "):");
        for (Map.Entry<String, Long> count : counts.entrySet()) {
            out.append('\n').append(number++).append(". ").append(TextSanitizer.line(count.getKey(), nameChars));
            out.append(": ").append(Plural.of(count.getValue(), what, many));
        }
    }

    private static void tags(StringBuilder out, Map<String, Long> counts, int nameChars) {
        int number = 1;
        out.append(counts.isEmpty() ? "" : "\n\nMost Used Tags:");
        for (Map.Entry<String, Long> count : counts.entrySet()) {
            out.append('\n').append(number++).append(". ").append(TextSanitizer.line(count.getKey(), nameChars));
            out.append(" (")
                    .append(Plural.of(count.getValue(), "entry", "entries"))
                    .append(')');
        }
    }

    private static void storage(StringBuilder out, Map<String, Long> fileBytes, int nameChars) {
        out.append("\n\nStorage:");
        fileBytes.entrySet().stream()
                .limit(FILES)
                .forEach(file -> out.append("\n- ")
                        .append(TextSanitizer.line(file.getKey(), nameChars))
                        .append(": ")
                        .append(size(file.getValue())));
        if (fileBytes.size() > FILES) {
            long rest = fileBytes.values().stream()
                    .skip(FILES)
                    .mapToLong(Long::longValue)
                    .sum();
            out.append("\n- ").append(Plural.of(fileBytes.size() - FILES, "more file", "more files"));
            out.append(": ").append(size(rest));
        }
    }

    private static String size(long bytes) {
        if (bytes < KIB) {
            return bytes + " B";
        }
        double size = (double) bytes / KIB;
        int unit = 0;
        while (size >= KIB) {
            size /= KIB;
            unit++;
        }
        return String.format(Locale.ROOT, "%.1f %s", size, UNITS[unit]);
    }

    private static String day(@Nullable Instant instant) {
        return instant == null
                ? "never"
                : LocalDate.ofInstant(instant, ZoneOffset.UTC).toString();
    }
}
