package dev.xmem.core.text.hash;

import dev.xmem.spi.ContextHash;
import dev.xmem.spi.ContextHasher;
import dev.xmem.spi.HashInput;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * The part of an error that is stored. Its texts are immutable; its analysed lines are not.
 *
 * <p>An excerpt is a fixed point: the excerpt of the stored text ({@link #text()}) is the same excerpt. So the hasher
 * sees the same text when the failure occurs and later. A pass only drops or shortens lines, so the repeated passes
 * end. Decision: docs/adr/0010-telling-lines.md.
 *
 * <p>The built-in hasher hashes an excerpt without analysing its lines again. Not thread-safe.
 */
public final class Excerpt {
    /** The longest error, in code points. */
    public static final int MAX_ERROR_CODE_POINTS = 200;

    /** The longest evidence, in bytes of UTF-8. */
    public static final int MAX_EVIDENCE_BYTES = 1_024;

    private static final int LINE_HEAD = 300;
    private static final int LINE_TAIL = 180;
    private static final int SMALLEST_LINE_BYTES = 40;
    private static final String CUT = " … ";

    /** A hasher that uses what an excerpt has analysed. */
    public interface Hasher extends ContextHasher {
        /** The same hash as that of the input, whose error is the text of the excerpt. */
        ContextHash hash(HashInput input, Excerpt excerpt);
    }

    private final String error;
    private final @Nullable String evidence;
    private final CommandLine.@Nullable Candidates calls;
    private final @Nullable SalientLines lines;

    private Excerpt(
            String error,
            @Nullable String evidence,
            CommandLine.@Nullable Candidates calls,
            @Nullable SalientLines lines) {
        this.error = error;
        this.evidence = evidence;
        this.calls = calls;
        this.lines = lines;
    }

    /**
     * The excerpt of the output of a failed call.
     *
     * @param tool the tool; a line that begins with its name may carry the diagnosis
     * @param action the call; may be empty
     * @param text the whole output, redacted
     */
    public static Excerpt of(String tool, String action, String text) {
        Objects.requireNonNull(tool, "tool");
        Objects.requireNonNull(action, "action");
        Objects.requireNonNull(text, "text");
        if (isShortLine(text)) {
            return new Excerpt(text.strip(), null, null, null);
        }
        CommandLine.Candidates calls = CommandLine.candidates(tool, action);
        CommandLine.Call call = calls.select(text);
        String kept = text;
        String before;
        SalientLines salient = null;
        do {
            before = kept;
            salient = SalientLines.of(call, before, false, salient);
            kept = pass(salient.lines());
        } while (!kept.equals(before));
        String error = error(salient, kept);
        return new Excerpt(error, error.equals(kept) ? null : kept, calls, salient);
    }

    /**
     * The hash of the failure with this excerpt.
     *
     * @param input the tool and the action that the excerpt was made for, and {@link #text()} as the error
     */
    public ContextHash hash(ContextHasher hasher, HashInput input) {
        return hasher instanceof Hasher own ? own.hash(input, this) : hasher.hash(input);
    }

    /** The decisive line and the lines after it, at most {@value #MAX_ERROR_CODE_POINTS} code points. */
    public String error() {
        return error;
    }

    /**
     * The salient lines in order, at most {@value #MAX_EVIDENCE_BYTES} bytes of UTF-8; null if the error holds all of
     * them.
     */
    public @Nullable String evidence() {
        return evidence;
    }

    /** The parsed calls; null if none was parsed. */
    CommandLine.@Nullable Candidates calls() {
        return calls;
    }

    /** The lines of the text, if they were analysed; else null. */
    @Nullable SalientLines lines() {
        return lines;
    }

    /** Whether the text is one line that no pass changes, as most errors are. */
    private static boolean isShortLine(String text) {
        boolean plain = text.length() <= MAX_ERROR_CODE_POINTS;
        for (int i = 0; plain && i < text.length(); i++) {
            char c = text.charAt(i);
            plain = c >= ' ' && c < 0x7f || c >= 0xa0 && c < 0x300;
        }
        return plain;
    }

    /** The stored and hashed text: the evidence, or the error if there is no evidence. */
    public String text() {
        return evidence == null ? error : evidence;
    }

    /** The salient lines within the limit. */
    private static String pass(List<ScoredLine> all) {
        if (all.size() == 1) {
            return withinBytes(shortened(all.get(0).raw.strip()), MAX_EVIDENCE_BYTES);
        }
        int floor = floor(all);
        List<ScoredLine> lines = new ArrayList<>(all.size());
        for (ScoredLine line : all) {
            if (line.rank >= floor) {
                lines.add(line);
            }
        }
        return join(lines).strip();
    }

    /** The lowest rank to keep: plain lines are dropped if better ones remain, noise if any other line remains. */
    private static int floor(List<ScoredLine> lines) {
        int best = Integer.MIN_VALUE;
        for (ScoredLine line : lines) {
            best = Math.max(best, line.rank);
        }
        if (best >= SalientLines.DIAGNOSTIC - 8) {
            return SalientLines.TRAILER;
        }
        return best > SalientLines.NOISE ? SalientLines.NOISE + 1 : SalientLines.NOISE;
    }

    /** Joins as many of the lines as fit, the most salient first, in their order. */
    private static String join(List<ScoredLine> lines) {
        StringBuilder all = new StringBuilder();
        for (ScoredLine line : lines) {
            all.append(shortened(indented(line))).append('\n');
        }
        if (bytes(all) <= MAX_EVIDENCE_BYTES) {
            return all.toString();
        }
        List<ScoredLine> ranked = new ArrayList<>(lines);
        Collections.sort(ranked);
        Map<ScoredLine, String> kept = new HashMap<>();
        int left = MAX_EVIDENCE_BYTES;
        for (ScoredLine line : ranked) {
            String whole = shortened(indented(line));
            int bytes = bytes(whole) + 1;
            if (bytes <= left) {
                kept.put(line, whole);
                left -= bytes;
            } else if (left > SMALLEST_LINE_BYTES) {
                kept.put(line, withinBytes(whole, left - 1));
                left = 0;
            }
        }
        StringJoiner out = new StringJoiner("\n");
        for (ScoredLine line : lines) {
            if (kept.containsKey(line)) {
                out.add(kept.get(line));
            }
        }
        return out.toString();
    }

    private static String indented(ScoredLine line) {
        String stripped = line.raw.stripLeading();
        int indentation = line.raw.length() - stripped.length();
        return (indentation == 0 ? "" : indentation == 1 ? " " : "  ") + stripped.stripTrailing();
    }

    /** A long line without its middle; the reason is at one of the ends. */
    private static String shortened(String line) {
        int codePoints = line.codePointCount(0, line.length());
        if (codePoints <= LINE_HEAD + LINE_TAIL + CUT.length()) {
            return line;
        }
        int head = line.offsetByCodePoints(0, LINE_HEAD);
        int tail = line.offsetByCodePoints(line.length(), -LINE_TAIL);
        return line.substring(0, head).stripTrailing()
                + CUT
                + line.substring(tail).stripLeading();
    }

    private static String withinBytes(String line, int limit) {
        if (bytes(line) <= limit) {
            return line;
        }
        int left = limit;
        int end = 0;
        while (end < line.length()) {
            int codePoint = line.codePointAt(end);
            left -= codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
            if (left < 0) {
                break;
            }
            end += Character.charCount(codePoint);
        }
        return line.substring(0, end).stripTrailing();
    }

    private static int bytes(CharSequence text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) >= 0x80) {
                return text.toString().getBytes(StandardCharsets.UTF_8).length;
            }
        }
        return text.length();
    }

    private static String error(SalientLines salient, String kept) {
        int from = 0;
        if (salient.lines().size() > 1) {
            int decisive = salient.lines().indexOf(salient.ranked().get(0));
            for (int i = 0; i < decisive; i++) {
                from = kept.indexOf('\n', from) + 1;
            }
        }
        String rest = kept.substring(from).stripLeading();
        int codePoints = rest.codePointCount(0, rest.length());
        return codePoints <= MAX_ERROR_CODE_POINTS
                ? rest
                : rest.substring(0, rest.offsetByCodePoints(0, MAX_ERROR_CODE_POINTS))
                        .stripTrailing();
    }
}
