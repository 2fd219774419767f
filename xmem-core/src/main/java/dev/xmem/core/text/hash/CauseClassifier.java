package dev.xmem.core.text.hash;

import dev.xmem.core.text.hash.CauseLexicon.Cause;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What went wrong, decided in this order: what the class of an exception stands for; an errno name or another error code; a cause in
 * the network, wherever it stands; the lexicon, on the most salient lines; the exit status; the line's diagnostic words.
 */
final class CauseClassifier {
    private static final int ASKED_LINES = 8;
    private static final int CODE_LINES = 3;
    private static final int NETWORK_LINES = 120;
    private static final int MAX_WORDS = 5;
    private static final Set<String> COMPILE_CAUSES = Set.of(
            "undefined-symbol",
            "unused",
            "type-mismatch",
            "syntax-error",
            "missing-return",
            "borrow-checker",
            "argument-count",
            "no-such-member",
            "multiple-definition",
            "not-implemented",
            "no-matching-overload");

    private final CommandLine.Call call;
    private final List<ScoredLine> ranked;
    private final Set<String> echo;
    private @Nullable String code;
    private @Nullable String exceptionName;
    private @Nullable Cause cause;
    private @Nullable String noun;
    private @Nullable ScoredLine line;
    private PhraseMatcher.@Nullable Hit<Cause> found;
    private final List<String> words = new ArrayList<>();
    private String by = "";

    private CauseClassifier(CommandLine.Call call, SalientLines salient) {
        this.call = call;
        this.ranked = salient.ranked();
        this.echo = echo(call);
    }

    static CauseClassifier of(CommandLine.Call call, String error, @Nullable Integer exitCode) {
        SalientLines salient = SalientLines.of(call.tool(), error);
        CauseClassifier diagnosis = new CauseClassifier(call, salient);
        diagnosis.decide(salient, exitCode);
        return diagnosis;
    }

    /** The pattern of the hash. */
    String pattern() {
        List<String> parts = new ArrayList<>();
        if (exceptionName != null) {
            parts.add(Slugs.kebab(exceptionName));
        }
        if (code != null) {
            parts.add(code);
        }
        if (cause != null) {
            parts.add(noun == null ? cause.name() : noun + '-' + cause.name());
        }
        parts.addAll(words);
        return String.join("-", parts);
    }

    /** The operation of the hash: empty where the cause does not depend on it, {@code build} where it is a compiler's. */
    String operation() {
        if (cause != null && cause.always() && code == null) {
            return "";
        }
        if (cause != null
                && cause.name().equals("invalid-choice")
                && line != null
                && line.text.contains(call.operation())) {
            return "";
        }
        boolean compiler = cause != null && COMPILE_CAUSES.contains(cause.name())
                || code != null && code.matches("(?:cs|e|fs|bc)-?\\d{4}");
        boolean panicked = line != null && line.text.startsWith("panic");
        return compiler && !panicked && ToolTable.builds(call.tool(), call.operation()) ? "build" : call.operation();
    }

    /** What the error is about. */
    String subject() {
        return line == null ? "" : Subject.of(line, found, cause == null ? "" : cause.name(), echo);
    }

    /** How the pattern came about. */
    String explanation() {
        String text = line == null ? "" : line.message;
        String shown = text.length() > 120
                ? text.substring(0, text.offsetByCodePoints(0, Math.min(100, text.codePointCount(0, text.length()))))
                        + "…"
                : text;
        return by + (shown.isEmpty() ? "" : " in \"" + shown + '"');
    }

    private void decide(SalientLines salient, @Nullable Integer exitCode) {
        evidence();
        if (cause == null && code == null) {
            network(salient.lines());
        }
        if (cause == null && code == null) {
            lexicon();
        }
        refine();
        if (cause == null && code == null && exceptionName == null) {
            String byExit = ErrorCodes.exit(exitCode);
            if (byExit != null) {
                decided(Cause.of(byExit), line, "exit status " + exitCode);
            }
        }
        if (exceptionName != null && cause != null && cause.weak()) {
            cause = null;
        } else if (exceptionName == null && cause == null && code == null
                || cause != null && cause.weak() && noun == null) {
            addWords();
        } else if (cause != null && cause.weak() && line != null) {
            addSigns(line.tokens());
        }
        if (cause == null && code == null && exceptionName == null && words.isEmpty()) {
            words.add("failed");
            by = "nothing";
        }
    }

    private void evidence() {
        for (ScoredLine candidate : top(CODE_LINES)) {
            if (candidate.rank < SalientLines.TRAILER && ranked.size() > 1) {
                return;
            }
            if (exception(candidate) || structured(candidate)) {
                return;
            }
        }
    }

    private boolean exception(ScoredLine candidate) {
        ExceptionClass exception = candidate.exception();
        if (exception == null) {
            return false;
        }
        String named = ErrorCodes.isGeneric(exception.name()) ? null : ErrorCodes.classCause(exception.name());
        if (named != null) {
            decided(Cause.of(named), candidate, "class " + exception.name());
            return true;
        }
        if (structured(candidate)) {
            return true;
        }
        if (!ErrorCodes.isGeneric(exception.name())) {
            exceptionName = exception.name();
            line = candidate;
            by = "class " + exception.name();
            return true;
        }
        return false;
    }

    private boolean structured(ScoredLine candidate) {
        TokenizedLine tokens = candidate.tokens();
        String errno = ErrorCodes.errno(tokens);
        if (errno != null) {
            PhraseMatcher.Hit<Cause> hit = candidate.hit();
            boolean command = hit != null && hit.value().name().equals("command-not-found");
            decided(Cause.of(command ? "command-not-found" : errno), candidate, "errno");
            return true;
        }
        String found = ErrorCodes.code(candidate.text);
        found = found == null ? ErrorCodes.http(tokens) : found;
        if (found != null) {
            code = found;
            line = candidate;
            by = "code " + found;
        }
        return found != null;
    }

    private void network(List<ScoredLine> lines) {
        int asked = 0;
        for (ScoredLine candidate : lines) {
            if (candidate.rank > SalientLines.NOISE && asked++ < NETWORK_LINES) {
                PhraseMatcher.Hit<Cause> hit = candidate.hitAnywhere();
                if (hit != null) {
                    boolean inner = candidate.text.startsWith("ssh: ")
                            && !call.tool().equals("ssh")
                            && !call.tool().equals("scp");
                    decided(inner ? Cause.of("ssh-" + hit.value().name()) : hit.value(), candidate, "phrase");
                    found = hit;
                    return;
                }
            }
        }
    }

    private void lexicon() {
        int best = ranked.isEmpty() ? 0 : ranked.get(0).rank;
        for (ScoredLine candidate : top(ASKED_LINES)) {
            boolean first = candidate == ranked.get(0);
            if (!first && (candidate.rank < SalientLines.OTHER || candidate.rank < best - 30)) {
                return;
            }
            TokenizedLine tokens = candidate.tokens();
            PhraseMatcher.Hit<Cause> hit = candidate.hit();
            if (hit != null) {
                found = hit;
                decided(hit.value(), candidate, "phrase");
                noun = hit.value().noun() ? noun(tokens, hit) : null;
                return;
            }
        }
    }

    private void decided(Cause what, @Nullable ScoredLine where, String how) {
        cause = what;
        line = where;
        by = how.equals("phrase") ? "phrase for " + what.name() : how;
    }

    /** Causes that the call tells apart. */
    private void refine() {
        ScoredLine at = line;
        if (cause == null || at == null) {
            return;
        }
        String name = cause.name();
        if ((name.equals("file-not-found") || name.equals("module-not-found")) && isScript(at)) {
            cause = Cause.of("script-not-found");
        } else if (name.equals("file-not-found") && namesHeader(at.message)) {
            cause = Cause.of("header-not-found");
        } else if (name.equals("file-not-found") && ofProject() && namesManifest()) {
            cause = Cause.of("manifest-not-found always");
        }
    }

    private static boolean namesHeader(String text) {
        return text.contains(".h: ")
                || text.contains(".hpp: ")
                || text.contains(".h' file")
                || text.contains(".hpp' file");
    }

    private boolean ofProject() {
        return ToolTable.hasOperations(call.tool()) || ToolTable.listed("projects", call.tool());
    }

    private boolean namesManifest() {
        for (ScoredLine candidate : top(6)) {
            if (WordTables.manifest(candidate.message)) {
                return true;
            }
        }
        return false;
    }

    /** Whether what is missing is the script that an interpreter was to run. */
    private boolean isScript(ScoredLine at) {
        if (!ToolTable.listed("interpreters", call.tool())) {
            return false;
        }
        for (String operand : call.operands()) {
            if (operand.startsWith("-c") || operand.startsWith("-e")) {
                return false;
            }
            if (operand.equals("-m")) {
                return at.exception() == null && at.text.contains(": No module named ");
            }
            if (!operand.startsWith("-") && operand.indexOf('.') >= 0) {
                String base = operand.substring(operand.lastIndexOf('/') + 1);
                return !base.isEmpty()
                        && namesFile(at.text, base)
                        && ranked.stream().noneMatch(l -> l.text.startsWith("Require stack"));
            }
        }
        return false;
    }

    /** Whether the text names the file, and not as the place of a line of code. */
    private static boolean namesFile(String text, String base) {
        for (int i = text.indexOf(base); i >= 0; i = text.indexOf(base, i + 1)) {
            int end = i + base.length();
            boolean place =
                    end + 1 < text.length() && text.charAt(end) == ':' && CharClasses.isDigit(text.charAt(end + 1))
                            || text.startsWith(" on line", end)
                            || text.startsWith(": line ", end)
                            || text.startsWith(" line ", end);
            if (!place) {
                return true;
            }
        }
        return false;
    }

    private @Nullable String noun(TokenizedLine tokens, PhraseMatcher.Hit<Cause> hit) {
        String best = null;
        int nearest = 9;
        for (int i = 0; i < tokens.size; i++) {
            String term = tokens.isWord(i) && !tokens.isQuoted(i) ? WordTables.noun(tokens.word(i)) : null;
            if (term == null || echo.contains(tokens.word(i)) && !term.equals("remote") && !term.equals("config")) {
                continue;
            }
            int distance = i < hit.first() ? hit.first() - i : i > hit.last() ? i - hit.last() + 2 : 0;
            if (distance < nearest) {
                nearest = distance;
                best = term;
            }
        }
        return best;
    }

    private void addWords() {
        boolean weak = cause != null;
        int limit = weak ? 3 : MAX_WORDS;
        ScoredLine best = line == null && !ranked.isEmpty() ? ranked.get(0) : line;
        if (best == null) {
            return;
        }
        List<String> telling = telling(best, limit, true);
        if (!weak && telling.size() < 2) {
            for (ScoredLine candidate : top(4)) {
                List<String> others = telling(candidate, limit, true);
                if (candidate.rank >= SalientLines.DIAGNOSTIC - 5 && others.size() >= 2) {
                    telling = others;
                    best = candidate;
                    break;
                }
            }
        }
        if (telling.isEmpty() && !weak && exceptionName == null && best.rank >= SalientLines.DIAGNOSTIC) {
            telling = telling(best, 3, false);
        }
        if (telling.size() < 2 && best.rank < SalientLines.DIAGNOSTIC - 8 && !weak) {
            return;
        }
        words.addAll(telling);
        line = best;
        by = by.isEmpty() ? "words" : by + " and words";
    }

    /** More than and less than are never the same failure. */
    private void addSigns(TokenizedLine tokens) {
        for (int i = 0; i < tokens.size; i++) {
            if (tokens.kind(i) == TokenizedLine.SIGN && !tokens.isQuoted(i) && words.size() < 2) {
                words.add(tokens.word(i));
            }
        }
    }

    private List<String> telling(ScoredLine from, int limit, boolean known) {
        TokenizedLine tokens = from.tokens();
        List<String> out = new ArrayList<>();
        for (int i = 0; i < tokens.size && out.size() < limit; i++) {
            String word = tokens.word(i);
            boolean sign = tokens.kind(i) == TokenizedLine.SIGN && !tokens.isQuoted(i);
            boolean telling = sign
                    || tokens.isWord(i)
                            && !tokens.isQuoted(i)
                            && !echo.contains(word)
                            && word.length() > 1
                            && (known ? WordTables.telling(word) : !WordTables.stop(word));
            boolean repeated = !out.isEmpty() && out.get(out.size() - 1).equals(word)
                    || cause != null && cause.name().contains(word);
            if (telling && !repeated) {
                out.add(word);
            }
        }
        return out;
    }

    private List<ScoredLine> top(int count) {
        return ranked.size() <= count ? ranked : ranked.subList(0, count);
    }

    /** The words that the error may repeat from the command line. */
    private static Set<String> echo(CommandLine.Call call) {
        Set<String> echo = new HashSet<>();
        int counted = 0;
        for (String operand : call.operands()) {
            if (counted++ > 40) {
                break;
            }
            int start = -1;
            int from = operand.startsWith("-") ? operand.indexOf('=') + 1 : 0;
            if (from == 0 && operand.startsWith("-") || operand.indexOf(' ') >= 0) {
                continue;
            }
            for (int i = from; i <= Math.min(operand.length(), 200); i++) {
                boolean letter = i < operand.length() && i < 200 && Character.isLetter(operand.charAt(i));
                if (letter && start < 0) {
                    start = i;
                } else if (!letter && start >= 0) {
                    echo.add(operand.substring(start, i).toLowerCase(Locale.ROOT));
                    start = -1;
                }
            }
        }
        return echo;
    }
}
