package dev.xmem.core.answer.search;

import dev.xmem.Scan;
import dev.xmem.ScanResult;
import dev.xmem.core.answer.render.TextSanitizer;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.core.base.json.MalformedLineException;
import dev.xmem.core.base.json.RawJson;
import dev.xmem.core.store.log.LogFile;
import dev.xmem.core.store.log.ReverseLineReader;
import dev.xmem.core.text.regex.BoundedRegex;
import dev.xmem.spi.TokenEstimator;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * The {@code memory_search} of the X-MEM protocol: the newest lines of the journal that match, as they are in the file.
 * A window of lines is searched, and widened fourfold while it has too few results. The result costs at most the
 * store's token budget, and each note in it at most {@value ScanResult#NOTE_TOKENS} tokens. Immutable and thread-safe.
 */
public final class JournalSearch {
    private static final int MAX_WINDOW = 1_000_000;
    private static final int GROWTH = 4;

    private static final List<String> NOTE_FIELDS = List.of("ts", "type", "content", "tags", "meta");
    private static final int CUT_CHARS = 8_000;

    private final TokenEstimator tokens;
    private final int tokenBudget;

    /** A search whose results cost at most a number of tokens. */
    public JournalSearch(TokenEstimator tokens, int tokenBudget) {
        this.tokens = tokens;
        this.tokenBudget = tokenBudget;
    }

    /** Searches a journal. The window only grows, so every line is read once. */
    public ScanResult scan(LogFile file, Scan scan) throws IOException {
        TextMatcher matcher = matcher(scan);
        List<String> results = new ArrayList<>();
        boolean cut = false;
        ReverseLineReader lines = file.linesBackward();
        int window = scan.windowLines();
        while (true) {
            boolean few = results.size() < scan.limit();
            if (few && lines.count() == window && window < MAX_WINDOW && !lines.atBeginning()) {
                window = (int) Math.min(MAX_WINDOW, (long) window * GROWTH);
            }
            // With enough results, the rest of the largest window only tells whether one more match was left out.
            if (lines.count() == MAX_WINDOW || !lines.previous()) {
                return fitting(results, cut || window == MAX_WINDOW && !lines.atBeginning(), window);
            }
            byte[] line = lines.line();
            if (line.length > 0 && matcher.find(line) != null) {
                if (!few) {
                    return fitting(results, true, window);
                }
                String note = TextSanitizer.jsonInOneLine(new String(line, StandardCharsets.UTF_8).strip());
                String shown = shortened(note, line);
                cut |= !shown.equals(note);
                results.add(shown);
            }
        }
    }

    /** The longest prefix of the results that fits the budget. */
    private ScanResult fitting(List<String> results, boolean truncated, int window) {
        ScanResult all = new ScanResult(results, truncated, window);
        int fits = 0;
        int tooMany = results.size() + 1;
        while (tooMany - fits > 1) {
            int middle = fits == 0 && tooMany > results.size() ? results.size() : (fits + tooMany) >>> 1;
            if (tokens.estimate(prefix(all, middle).json()) <= tokenBudget) {
                fits = middle;
            } else {
                tooMany = middle;
            }
        }
        return prefix(all, fits);
    }

    private static ScanResult prefix(ScanResult all, int count) {
        List<String> results = all.results();
        return count == results.size() ? all : new ScanResult(results.subList(0, count), true, all.usedWindowLines());
    }

    /** The note, with its long texts cut if it costs too much. */
    private String shortened(String note, byte[] line) {
        String shown = note;
        try {
            int most = Math.min(ScanResult.NOTE_TOKENS, tokenBudget / 2);
            Map<String, Object> fields = null;
            for (int chars = CUT_CHARS; tokens.estimate(shown) > most && chars > 0; chars /= 2) {
                fields = fields == null ? LineCodec.fields(line) : fields;
                shown = note(fields, chars);
            }
        } catch (MalformedLineException e) {
            // a line that matches is well-formed
        }
        return shown;
    }

    /** A note whose texts have at most this many characters; other values that are longer are left out. */
    private static String note(Map<String, Object> fields, int chars) {
        StringJoiner members = new StringJoiner(",", "{", "}");
        for (String name : NOTE_FIELDS) {
            Object value = fields.get(name);
            String json = "null";
            if (value instanceof String text) {
                json = TextSanitizer.json(TextSanitizer.cut(text, chars));
            } else if (value != null) {
                String whole = value instanceof List<?> items
                        ? items.stream()
                                .map(item -> TextSanitizer.json(item.toString()))
                                .toList()
                                .toString()
                        : ((RawJson) value).text();
                json = whole.length() > chars ? "null" : whole;
            }
            members.add(TextSanitizer.json(name) + ':' + json);
        }
        return members.toString();
    }

    private TextMatcher matcher(Scan scan) {
        String q = scan.q();
        boolean prefilter = scan.mode() != Scan.Mode.JQ;
        if (q.length() > 1 && q.startsWith("/") && q.endsWith("/")) {
            String pattern = q.substring(1, q.length() - 1);
            if (compiles(pattern)) {
                return TextMatcher.regex(pattern, true, prefilter);
            }
        }
        return TextMatcher.literal(q, true, prefilter);
    }

    private static boolean compiles(String pattern) {
        if (pattern.length() > BoundedRegex.LONGEST) {
            return true; // it is refused by its length, which the matcher says
        }
        try {
            Pattern.compile(pattern);
            return true;
        } catch (PatternSyntaxException | StackOverflowError e) {
            return false;
        }
    }
}
