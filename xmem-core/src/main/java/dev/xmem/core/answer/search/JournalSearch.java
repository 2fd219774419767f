package dev.xmem.core.answer.search;

import dev.xmem.Scan;
import dev.xmem.ScanResult;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.core.store.log.LogFile;
import dev.xmem.core.store.log.ReverseLineReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * The {@code memory_search} of the X-MEM protocol: the newest lines of the journal that match, as they are in the file.
 * A window of lines is searched, and widened fourfold while it has too few results. Immutable and thread-safe.
 */
public final class JournalSearch {
    private static final int MAX_WINDOW = 1_000_000;
    private static final int GROWTH = 4;

    private final LineCodec codec;

    /** A search that reads lines with this codec. */
    public JournalSearch(LineCodec codec) {
        this.codec = codec;
    }

    /** Searches a journal. The window only grows, so every line is read once. */
    public ScanResult scan(LogFile file, Scan scan) throws IOException {
        TextMatcher matcher = matcher(scan);
        List<String> results = new ArrayList<>();
        ReverseLineReader lines = file.linesBackward();
        int window = scan.windowLines();
        while (true) {
            boolean few = results.size() < scan.limit();
            if (few && lines.count() == window && window < MAX_WINDOW && !lines.atBeginning()) {
                window = (int) Math.min(MAX_WINDOW, (long) window * GROWTH);
            }
            // With enough results, the rest of the largest window only tells whether one more match was left out.
            if (lines.count() == MAX_WINDOW || !lines.previous()) {
                return new ScanResult(results, window == MAX_WINDOW && !lines.atBeginning(), window);
            }
            byte[] line = lines.line();
            if (line.length > 0 && matcher.matches(line)) {
                if (!few) {
                    return new ScanResult(results, true, window);
                }
                results.add(new String(line, StandardCharsets.UTF_8).strip());
            }
        }
    }

    private TextMatcher matcher(Scan scan) {
        String q = scan.q();
        boolean prefilter = scan.mode() != Scan.Mode.JQ;
        if (q.length() > 1 && q.startsWith("/") && q.endsWith("/")) {
            String pattern = q.substring(1, q.length() - 1);
            if (compiles(pattern)) {
                return TextMatcher.regex(codec, pattern, true, prefilter);
            }
        }
        return TextMatcher.literal(codec, q, true, prefilter);
    }

    private static boolean compiles(String pattern) {
        try {
            Pattern.compile(pattern);
            return true;
        } catch (PatternSyntaxException | StackOverflowError e) {
            return false;
        }
    }
}
