package dev.xmem.core.text.hash;

import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;

/** The words of a line that tell a cause apart from others of its name, or that stand for an unknown one. */
record DiagnosticWords(ScoredLine line, List<String> words) {
    /** Causes of many messages: in data and libraries of a compiled program, the words tell them apart. */
    private static final Set<String> COARSE = Set.of(
            "syntax-error",
            "assertion-failed",
            "out-of-memory",
            "type-mismatch",
            "bad-format",
            "invalid-json",
            "invalid-choice",
            "out-of-range");

    /** The method that a message is about: {@code Page.goto: }. */
    private static final LiteralPattern METHOD = new LiteralPattern("[A-Za-z]{2,30}\\.([a-z][A-Za-z]{1,30}): ");

    private static final int MAX_WORDS = 5;
    static final int MAX_WORDS_OF_WEAK = 3;
    private static final int LINES = 4;

    DiagnosticWords {
        words = List.copyOf(words);
    }

    /**
     * The words of a decided line, or else of the best one; null if they say too little.
     *
     * @param decided the cause, which is a weak one; or null
     * @param ofUser whether the message may be a sentence of the user, as that of an {@code Error} of a script
     */
    static @Nullable DiagnosticWords of(
            List<ScoredLine> ranked,
            @Nullable ScoredLine line,
            CauseLexicon.@Nullable HashCause decided,
            Set<String> echo,
            boolean ofUser) {
        boolean weak = decided != null;
        String cause = decided == null ? "" : decided.name();
        int limit = weak ? MAX_WORDS_OF_WEAK : MAX_WORDS;
        ScoredLine best = line == null && !ranked.isEmpty() ? ranked.get(0) : line;
        if (best == null || best.rank <= SalientLines.NOISE && best.text.regionMatches(true, 0, "usage:", 0, 6)) {
            return null;
        }
        List<String> found = best.words(limit, true, echo, cause);
        if (!weak && found.size() < 2) {
            for (ScoredLine candidate : ranked.subList(0, Math.min(ranked.size(), LINES))) {
                List<String> others = candidate.words(limit, true, echo, cause);
                if (candidate.rank >= SalientLines.DIAGNOSTIC - 5 && others.size() >= 2) {
                    found = others;
                    best = candidate;
                    break;
                }
            }
        }
        if (found.isEmpty() && !weak && best.rank >= SalientLines.DIAGNOSTIC) {
            found = best.words(MAX_WORDS_OF_WEAK, false, echo, cause);
        }
        ExceptionClass exception = weak || !ofUser ? null : best.exception();
        if (exception != null && ErrorCodes.isGeneric(exception.name()) && !best.isDiagnostic()) {
            return null;
        }
        boolean telling = weak || found.size() >= 2 || best.rank >= SalientLines.DIAGNOSTIC - 8;
        return telling ? new DiagnosticWords(best, found) : null;
    }

    /** The words of a line whose cause has many messages; empty for another cause. */
    static List<String> ofCoarse(ScoredLine line, Set<String> echo, String cause) {
        return COARSE.contains(cause) ? line.words(MAX_WORDS_OF_WEAK, true, echo, cause) : List.of();
    }

    /** The method that the message of a line begins with. */
    static List<String> method(ScoredLine line) {
        Matcher method = METHOD.matcher(line.said());
        return method.lookingAt() ? List.of(Slugs.kebab(method.group(1))) : List.of();
    }

    /** The words of the message of an exception whose class a library uses for all errors; empty for another class. */
    static List<String> ofBase(ScoredLine line, Set<String> echo) {
        ExceptionClass exception = line.exception();
        return exception != null && exception.isBase(line.text)
                ? AnswerCause.reason(exception.message(), echo)
                : List.of();
    }

    /**
     * The words behind the last colon of a message of another language, or else the telling words that are translated,
     * or the checksum of its foreign letters, so that messages that no rule reads stay apart; empty for a message of
     * English.
     */
    static List<String> ofForeign(ScoredLine line, Set<String> echo) {
        String message = Languages.withoutPaths(line.message);
        if (!Languages.isForeign(message)) {
            return List.of();
        }
        String last = line.message.substring(line.message.lastIndexOf(": ") + 1);
        List<String> told = Languages.isForeign(last) ? List.of() : AnswerCause.reason(last, echo);
        told = told.size() > 1 ? told : line.words(MAX_WORDS, true, echo, "");
        return told.size() > 1 ? told : List.of("message-" + Languages.checksum(message));
    }

    /** The reason of a refusal: the words of the line, or else those of the message of an exception. */
    static List<String> reason(ScoredLine line, List<ScoredLine> others, Set<String> echo) {
        List<String> found = AnswerCause.reason(line.message, echo);
        for (ScoredLine other : others) {
            ExceptionClass exception = found.isEmpty() ? other.exception() : null;
            found = exception == null ? found : AnswerCause.reason(exception.message(), echo);
        }
        return found;
    }

    /**
     * Whether a word is a name: the field in front of {@code : must}, or an unknown word that stands alone in front of
     * the first colon, or behind a colon up to the end or a position.
     */
    static boolean isDatum(TokenizedLine tokens, int i) {
        String line = tokens.line;
        int start = tokens.start(i);
        int end = tokens.end(i);
        if (line.startsWith(": must ", end)) {
            return true;
        }
        if (WordTables.known(tokens.word(i))) {
            return false;
        }
        boolean alone = end == line.length()
                || ",;)".indexOf(line.charAt(end)) >= 0
                || line.startsWith(" at ", end)
                || line.startsWith(" (", end)
                || line.startsWith(" [", end);
        return start == 0 && line.startsWith(": ", end) || alone && line.startsWith(": ", start - 2);
    }
}
