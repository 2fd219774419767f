package dev.xmem.core.text.hash;

import dev.xmem.core.text.analysis.RuleFile;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Ranks the lines of an error by how likely they are to carry the diagnosis. From the highest rank to the lowest: a
 * cause, an error code, an exception, a line that begins with {@code fatal:}, one that contains {@code error:}, one
 * that begins with the tool's name, one with a diagnostic word, a line that only says that something failed, any other
 * line, a warning, and noise (hints, stack frames, progress).
 */
final class SalientLines {
    static final int CAUSE = 90;
    static final int CODE = 80;
    static final int EXCEPTION = 70;
    static final int FATAL = 60;
    static final int ERROR = 50;
    static final int TOOL = 40;
    static final int DIAGNOSTIC = 30;
    static final int TRAILER = 20;
    static final int OTHER = 10;
    static final int WARNING = 5;
    static final int NOISE = -10;

    private static final List<RuleFile.Section> KINDS = RuleFile.sections(SalientLines.class, "lines.txt");
    private static final PrefixSet NOTES = new PrefixSet(kind("note"));
    private static final PrefixSet NOISE_STARTS = new PrefixSet(kind("note"), kind("noise"));
    private static final PrefixSet PROGRESS = new PrefixSet(kind("progress"));
    static final PrefixSet LEVELS = new PrefixSet(kind("level"));
    private static final PrefixSet LEVEL_NOISE = new PrefixSet(kind("level-noise"));
    private static final PrefixSet WARNINGS = new PrefixSet(kind("warning"));
    private static final PrefixSet WARNING_CAUSES = new PrefixSet(kind("warning-cause"));
    private static final PrefixSet FATALS = new PrefixSet(kind("fatal"));
    private static final PrefixSet EXCEPTIONS = new PrefixSet(kind("exception"));
    private static final List<Part> NOISE_WITHIN = parts("noise-within");
    private static final List<Part> WARNING_WITHIN = parts("warning-within");
    private static final List<Part> RECOVERED_WITHIN = parts("recovered-within");
    private static final List<Part> FATAL_WITHIN = parts("fatal-within");
    private static final List<Part> ERROR_WITHIN = parts("error-within");
    private static final PrefixSet DETAILS = new PrefixSet(kind("detail"));
    private static final PhraseMatcher TRAILERS = new PhraseMatcher();

    static {
        for (String phrases : kind("trailer")) {
            TRAILERS.add(phrases, CauseLexicon.HashCause.of("trailer"), false);
        }
    }

    private final String tool;
    private final boolean answers;
    private final String error;
    /** Whether this line or one above is of the help of the tool. */
    private boolean help;

    private final List<ScoredLine> lines = new ArrayList<>();

    private SalientLines(CommandLine.Call call, String error) {
        this.tool = call.tool();
        this.answers = call.printsAnswer();
        this.error = error;
    }

    /** The lines of an error; they are translated if one has letters that English does not have. */
    static SalientLines of(CommandLine.Call call, String error) {
        return of(call, error, false, null);
    }

    /**
     * The lines of an error.
     *
     * @param translated whether they are translated also if no letter is foreign to English
     * @param earlier the lines of a text that this error is an excerpt of, which are not analysed again; or null
     */
    static SalientLines of(CommandLine.Call call, String error, boolean translated, @Nullable SalientLines earlier) {
        if (earlier != null && !translated && earlier.isOf(call, error)) {
            return earlier;
        }
        SalientLines salient = new SalientLines(call, error);
        String text = AnswerText.flatten(LogLine.unfolded(TerminalText.bounded(error)), salient.answers);
        boolean plain = TerminalText.isPlain(text);
        boolean foreign = translated
                || !plain && Languages.isForeign(text)
                || Languages.isMarked(text)
                || text.contains("FullyQualifiedErrorId");
        salient.read(TerminalText.lines(text, plain), foreign, earlier);
        return salient;
    }

    private boolean isOf(CommandLine.Call call, String text) {
        return error.equals(text) && tool.equals(call.tool()) && answers == call.printsAnswer();
    }

    /** Whether one of the lines has a message of another language in the letters of English. */
    boolean isTranslatable() {
        for (ScoredLine line : lines) {
            if (!Languages.english(line.raw).equals(line.raw)) {
                return true;
            }
        }
        return false;
    }

    /** Whether the error is an exception of a program, not of the build tool that started it. */
    boolean isOfProgram() {
        ScoredLine best = lines.isEmpty() ? null : ranked().get(0);
        boolean thrown = best != null
                && (best.rank == CAUSE || best.rank == EXCEPTION && best.exception() != null)
                && !best.text.startsWith("> ");
        return (thrown || lines.stream().anyMatch(line -> LogLine.isOfProgram(line.text))) && !LogLine.isOfBuild(lines);
    }

    /** All lines, in their order. */
    List<ScoredLine> lines() {
        return lines;
    }

    /** The lines, highest rank first; of several causes or exceptions the last one comes first. */
    List<ScoredLine> ranked() {
        if (lines.size() <= 1) {
            return lines;
        }
        List<ScoredLine> ranked = new ArrayList<>(lines);
        Collections.sort(ranked);
        int best = ranked.get(0).rank;
        int ties = 0;
        while (ties < ranked.size() && ranked.get(ties).rank == best) {
            ties++;
        }
        if (best == CAUSE || best == EXCEPTION) {
            Collections.reverse(ranked.subList(0, ties));
        }
        return ranked;
    }

    private void read(List<String> raws, boolean translated, @Nullable SalientLines before) {
        List<ScoredLine> earlier = before == null ? List.of() : before.lines;
        boolean ranked = before != null && before.tool.equals(tool);
        boolean grouped = false;
        int from = 0;
        for (String line : raws) {
            grouped |= line.contains("+ Exception Group Traceback") || line.equals("Line |");
            String raw = grouped ? LogLine.withoutBars(line) : line;
            boolean words = translated && !raw.contains("FullyQualifiedErrorId");
            String text = LogLine.undecorated(words ? Languages.english(raw) : raw);
            boolean below = !lines.isEmpty() && LogLine.isFailedTest(lines.get(lines.size() - 1).text);
            String shown = LogLine.withoutGoal(text);
            int known = from;
            while (known < earlier.size() && !earlier.get(known).text.equals(shown)) {
                known++;
            }
            boolean found = known < earlier.size();
            from = found ? known + 1 : from;
            lines.add(new ScoredLine(below ? raw.stripLeading() : raw, shown, found ? earlier.get(known) : null));
        }
        for (int i = 0; i < lines.size(); i++) {
            rank(i, ranked ? lines.get(i).earlier : null);
        }
        new LinesBeside(lines).read();
        if (ToolTable.isOfUser(tool) || ToolTable.listed("jvm-builds", tool)) {
            StackFrames.keep(lines);
        }
        ScoredLine frame = ToolTable.listed("jvm-builds", tool) ? LogLine.frameOfBuild(lines) : null;
        if (frame != null) {
            frame.rank = Math.max(frame.rank, TRAILER);
        }
    }

    /**
     * Ranks a line.
     *
     * @param earlier the line of an earlier reading, if it was ranked for the same tool; or null
     */
    private void rank(int at, @Nullable ScoredLine earlier) {
        ScoredLine line = lines.get(at);
        ScoredLine.Alone known = earlier == null || earlier.indented != line.indented ? null : earlier.alone;
        if (known == null || !known.fixed() && (help || isNoiseBeside(at))) {
            line.rank = rankAlone(at, line);
        } else {
            line.take(known);
            line.answer();
            line.rank = known.rank();
        }
    }

    private boolean isNoiseBeside(int at) {
        return isCodeAboveCaret(at) || isFrameCode(at);
    }

    private int rankAlone(int at, ScoredLine line) {
        int level = LEVELS.match(line.text, 0);
        String text = level < 0 ? line.text : line.text.substring(level).strip();
        while (level >= 0 && LEVELS.match(text, 0) > 0) {
            text = text.substring(LEVELS.match(text, 0)).strip();
        }
        line.message = text.isEmpty() ? line.text : MessagePrefixes.strip(text, tool);
        if (answers) {
            line.readProperty();
        }
        boolean detail = line.answer() == null && (DETAILS.matches(text) || LogLine.isFailedTest(text));
        boolean whole = line.answer() != null || detail || text.isEmpty();
        if (!whole && isHelp(line, text)) {
            return NOISE;
        }
        boolean fixed = whole || LogLine.isShapeOfNoise(text);
        if (!fixed && isNoiseBeside(at)) {
            return NOISE;
        }
        int rank = NOISE;
        if (line.answer() != null) {
            rank = line.text.contains("FullyQualifiedErrorId") ? TRAILER : CODE;
        } else if (detail) {
            rank = TRAILER;
        } else if (!fixed) {
            rank = freeRank(line, text, level);
        }
        line.alone = help ? null : line.alone(rank, fixed);
        return rank;
    }

    private int freeRank(ScoredLine line, String text, int level) {
        if (isCause(line, text)) {
            return CAUSE;
        }
        if (text.startsWith("=> ") && line.exception() != null) {
            return EXCEPTION;
        }
        int rank = level < 0 ? plainRank(line, text) : levelRank(line, text);
        rank = isWordAlone(line) ? Math.min(rank, TRAILER) : rank;
        rank = LogLine.isOfProgram(text) ? Math.max(rank, TRAILER) : rank;
        return rank > NOISE && rank < TRAILER && line.hitAnywhere() != null ? TRAILER : rank;
    }

    /** Whether the line is a cause below the exception or the error that it is the cause of. */
    private static boolean isCause(ScoredLine line, String text) {
        return text.startsWith("Caused by: ")
                || text.startsWith("[cause]: ")
                || text.startsWith("---> ") && line.exception() != null && !isCancelled(line)
                || line.letters < 0 && line.raw.contains("─▶ ");
    }

    /** Whether the line says that something was cancelled, which what is above it may be the cause of. */
    private static boolean isCancelled(ScoredLine line) {
        PhraseMatcher.PhraseHit hit = line.hit();
        return hit != null && hit.value().name().equals("interrupted");
    }

    /** Whether one word that names no cause is all that follows a level or {@code error:}. */
    private static boolean isWordAlone(ScoredLine line) {
        boolean word = line.message.indexOf(' ') < 0 && line.message.indexOf('/') < 0;
        return word && line.message.length() < line.text.length() && line.exception() == null && line.hit() == null;
    }

    private int levelRank(ScoredLine line, String text) {
        if (text.startsWith("code ") && LEVEL_NOISE.match(text, 0) < 0) {
            return CODE;
        }
        if (LEVEL_NOISE.matches(text) || NOISE_STARTS.matches(text)) {
            return NOISE;
        }
        if (TRAILERS.find(line.tokens(), 0, line.tokens().size) != null) {
            return TRAILER;
        }
        if (line.exception() != null || FATALS.matches(text)) {
            return FATAL;
        }
        return line.isDiagnostic() ? ERROR : TOOL;
    }

    /** Whether the line is a part of the help of the tool: a synopsis, an option, or what is indented below them. */
    private boolean isHelp(ScoredLine line, String text) {
        boolean synopsis = LogLine.isSynopsis(text) || line.indented && LogLine.isOption(text);
        boolean below = help && (line.indented || "-[".indexOf(text.charAt(0)) >= 0 || text.endsWith(":"));
        if ((synopsis || below) && (strongRank(line, text) > 0 || MessagePrefixes.toolPrefix(text, tool) > 0)) {
            return false;
        }
        help |= synopsis || text.regionMatches(true, 0, "usage:", 0, 6);
        return synopsis || below;
    }

    private int plainRank(ScoredLine line, String text) {
        boolean hint = NOISE_STARTS.matches(line.message) && !text.contains(": error: ");
        if (NOISE_STARTS.matches(text) || hint || contains(NOISE_WITHIN, text, line.letters)) {
            return NOISE;
        }
        if (contains(RECOVERED_WITHIN, text, line.letters)) {
            return WARNING;
        }
        int strong = strongRank(line, text);
        if (strong == EXCEPTION && !text.startsWith("Error: ")) {
            return strong;
        }
        if (strong == 0 && (WARNINGS.matches(text) || contains(WARNING_WITHIN, text, line.letters))) {
            String said = text.substring(Math.max(0, MessagePrefixes.toolPrefix(text, tool)));
            return WARNING_CAUSES.matches(said) && line.hit() != null ? TRAILER + 1 : WARNING;
        }
        if (TRAILERS.find(line.tokens(), 0, line.tokens().size) != null) {
            return TRAILER;
        }
        return strong > 0 ? strong : weakRank(line, text);
    }

    private static int strongRank(ScoredLine line, String text) {
        if (EXCEPTIONS.matches(text) || line.exception() != null && !line.indented) {
            return line.exception() == null && text.startsWith("Exception in thread") ? ERROR : EXCEPTION;
        }
        if (text.startsWith("ERR_PNPM_")) {
            return CODE;
        }
        if (FATALS.matches(text)
                || line.raw.startsWith("× ", 2) && line.hit() != null
                || contains(FATAL_WITHIN, text, line.letters)) {
            return FATAL;
        }
        boolean level = text.contains("ERROR") || text.contains("SEVERE");
        return level || contains(ERROR_WITHIN, text, line.letters) ? ERROR : 0;
    }

    private int weakRank(ScoredLine line, String text) {
        boolean diagnostic = line.isDiagnostic() || LogLine.isLocated(text) || ErrorCodes.rule(text) != null;
        if (PROGRESS.matches(text)) {
            return diagnostic ? DIAGNOSTIC - 5 : NOISE;
        }
        if (text.charAt(0) == '[' && text.contains(" @ 0x")) {
            return OTHER;
        }
        if (MessagePrefixes.toolPrefix(text, tool) > 0) {
            return line.indented ? TOOL - 15 : TOOL;
        }
        int rank = diagnostic ? DIAGNOSTIC : OTHER;
        return line.indented ? rank - 8 : rank;
    }

    private boolean isCodeAboveCaret(int at) {
        if (at + 1 >= lines.size()) {
            return false;
        }
        String below = lines.get(at + 1).text;
        boolean caret = below.charAt(0) == '^' || below.startsWith("~~") || below.endsWith("---^");
        return caret
                && (below.indexOf(' ') < 0 || below.contains("--- ") || below.contains("error here"))
                && strongRank(lines.get(at), lines.get(at).text) == 0;
    }

    /** Whether the line is code below a Python frame. */
    private boolean isFrameCode(int at) {
        return at > 0 && lines.get(at).indented && lines.get(at - 1).text.startsWith("File \"");
    }

    /** Whether a wrapper, a shell or a runtime says the line about itself, and runs the program all the same. */
    static boolean isNote(String line) {
        return NOTES.matches(line);
    }

    /** Whether one of the parts begins in the first 400 characters, without regard to the case of its later letters. */
    private static boolean contains(List<Part> parts, String text, long letters) {
        long lower = LiteralPattern.lower(letters);
        for (int n = 0; n < parts.size(); n++) {
            String part = (lower & parts.get(n).letters) == parts.get(n).letters ? parts.get(n).text : "";
            if (part.isEmpty()) {
                continue;
            }
            int limit = Math.min(text.length(), 400) - part.length();
            char first = part.charAt(0);
            for (int i = text.indexOf(first); i >= 0 && i <= limit; i = text.indexOf(first, i + 1)) {
                if ((text.charAt(i + 2) | 32) == (part.charAt(2) | 32)
                        && text.regionMatches(true, i, part, 0, part.length())) {
                    return true;
                }
            }
        }
        return false;
    }

    /** A text in lower case, and its letters. */
    private record Part(String text, long letters) {}

    private static List<Part> parts(String name) {
        List<Part> parts = new ArrayList<>();
        for (String text : kind(name)) {
            parts.add(new Part(text, LiteralPattern.letters(text)));
        }
        return parts;
    }

    /** The lines of a section of {@code lines.txt}, with {@code _} replaced by a blank. */
    static List<String> prefixes(String name) {
        List<String> prefixes = new ArrayList<>();
        for (String line : kind(name)) {
            prefixes.add(line.replace('_', ' '));
        }
        return prefixes;
    }

    private static List<String> kind(String name) {
        return RuleFile.body(KINDS, name);
    }
}
