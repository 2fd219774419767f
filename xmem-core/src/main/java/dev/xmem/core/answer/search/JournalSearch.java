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
 * The seed's {@code memory_search}: the newest lines of the journal as they stand in the file, widened fourfold while
 * results are too few. Immutable and thread-safe.
 */
public final class JournalSearch {
    private static final int WIDEST = 1_000_000;
    private static final int WIDER = 4;

    private final LineCodec codec;

    /** A journal whose lines are read with this codec. */
    public JournalSearch(LineCodec codec) {
        this.codec = codec;
    }

    /** Searches a journal. The window only ever grows, so every line is looked at once. */
    public ScanResult scan(LogFile file, Scan scan) throws IOException {
        TextMatcher needle = needle(scan);
        List<String> results = new ArrayList<>();
        ReverseLineReader lines = file.linesBackward();
        int window = scan.windowLines();
        boolean more = false;
        while (true) {
            while (lines.count() < window && lines.previous()) {
                if (matches(needle, lines.line())) {
                    if (results.size() == scan.limit()) {
                        more = true;
                        break;
                    }
                    results.add(text(lines.line()));
                }
            }
            boolean all = lines.atBeginning();
            if (more || all || results.size() >= scan.limit() || window == WIDEST) {
                boolean cut = more || !all && (window == WIDEST || hasMore(needle, lines));
                return new ScanResult(results, cut, window);
            }
            window = (int) Math.min(WIDEST, (long) window * WIDER);
        }
    }

    /** Whether an older line within the largest window matches too. */
    private boolean hasMore(TextMatcher needle, ReverseLineReader lines) throws IOException {
        while (lines.count() < WIDEST && lines.previous()) {
            if (matches(needle, lines.line())) {
                return true;
            }
        }
        return false;
    }

    private boolean matches(TextMatcher needle, byte[] line) {
        return line.length > 0 && needle.in(line);
    }

    private static String text(byte[] line) {
        return new String(line, StandardCharsets.UTF_8).strip();
    }

    private TextMatcher needle(Scan scan) {
        String q = scan.q();
        boolean bytesFirst = scan.mode() != Scan.Mode.JQ;
        boolean slashes = q.length() > 1 && q.startsWith("/") && q.endsWith("/");
        if (slashes && compiles(q.substring(1, q.length() - 1))) {
            return TextMatcher.regexInNote(codec, q.substring(1, q.length() - 1), bytesFirst);
        }
        return TextMatcher.literalInNote(codec, q, bytesFirst);
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
