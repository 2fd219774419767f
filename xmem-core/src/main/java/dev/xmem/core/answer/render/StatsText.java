package dev.xmem.core.answer.render;

import dev.xmem.RecallHistory;
import dev.xmem.Stats;
import dev.xmem.spi.TokenEstimator;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** The statistics of a store as the X-MEM protocol shows them, in at most {@value #MAX_TOKENS} tokens. Thread-safe. */
public final class StatsText {
    /** The most tokens that the text may cost. */
    public static final int MAX_TOKENS = 500;

    private static final int TOP = 3;
    private static final int FILES = 6;
    private static final int NAME_CHARS = 60;
    private static final int KIB = 1024;
    private static final String[] UNITS = {"KB", "MB", "GB", "TB", "PB", "EB"};

    private final TokenEstimator tokens;

    public StatsText(TokenEstimator tokens) {
        this.tokens = tokens;
    }

    /** The statistics as text. Names, and at last the text itself, are cut until the text fits. */
    public String text(Stats stats) {
        int nameChars = NAME_CHARS;
        String text = text(stats, nameChars);
        while (nameChars > 8 && tokens.estimate(text) > MAX_TOKENS) {
            nameChars /= 2;
            text = text(stats, nameChars);
        }
        return TextSanitizer.cut(text, 0, cut -> tokens.estimate(cut) <= MAX_TOKENS);
    }

    private static String text(Stats stats, int nameChars) {
        StringBuilder out = new StringBuilder("📊 X-MEM Statistics\n\nTotal Entries:");
        out.append("\n- Failures: ").append(stats.failures());
        out.append("\n- Successes: ").append(stats.successes());
        out.append(stats.notes() > 0 ? "\n- Notes: " + stats.notes() : "");
        out.append(stats.directives() > 0 ? "\n- Directives: " + stats.directives() : "");
        top(
                out,
                "Top Tools (by failures)",
                stats.topToolsByFailures(TOP),
                nameChars,
                n -> ": " + Plural.of(n, "failure"));
        LongFunction<String> successes = n -> ": " + Plural.of(n, "success", "successes");
        top(out, "Top Tools (by successes)", stats.topToolsBySuccesses(TOP), nameChars, successes);
        LongFunction<String> entries = n -> " (" + Plural.of(n, "entry", "entries") + ")";
        top(out, "Most Used Tags", stats.topTags(TOP), nameChars, entries);
        told(out, stats.recalls());
        storage(out, stats.fileBytes(), nameChars);
        out.append("\n- Last compaction: ").append(day(stats.lastCompaction()));
        String due = stats.compactionDue();
        out.append(due == null ? "" : "\n- Compaction is due: " + due);
        return out.toString();
    }

    private static void top(
            StringBuilder out, String title, Map<String, Long> counts, int nameChars, LongFunction<String> text) {
        int number = 1;
        out.append(counts.isEmpty() ? "" : "\n\n" + title + ":");
        for (Map.Entry<String, Long> count : counts.entrySet()) {
            out.append('\n').append(number++).append(". ").append(PromptEscaping.name(count.getKey(), nameChars));
            out.append(text.apply(count.getValue()));
        }
    }

    private static void told(StringBuilder out, RecallHistory recalls) {
        if (recalls.told() > 0) {
            out.append("\n\nTold: ").append(Plural.of(recalls.told(), "time"));
            out.append(" (").append(Plural.of(recalls.tokens(), "token")).append("), then worked in ");
            out.append(recalls.worked());
        }
        if (recalls.failures() > 0) {
            out.append("\nRepeats: ").append(recalls.repeats()).append(" of ");
            out.append(Plural.of(recalls.failures(), "failure")).append(" that a guard saw");
        }
    }

    private static void storage(StringBuilder out, Map<String, Long> fileBytes, int nameChars) {
        out.append("\n\nStorage:");
        int listed = 0;
        long rest = 0;
        for (Map.Entry<String, Long> file : fileBytes.entrySet()) {
            if (listed++ < FILES) {
                out.append("\n- ").append(PromptEscaping.name(file.getKey(), nameChars));
                out.append(": ").append(size(file.getValue()));
            } else {
                rest += file.getValue();
            }
        }
        String more = "\n- " + Plural.of(fileBytes.size() - FILES, "more file") + ": " + size(rest);
        out.append(fileBytes.size() > FILES ? more : "");
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
