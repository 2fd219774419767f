package dev.xmem.core.text.hash;

import dev.xmem.core.text.hash.CauseLexicon.HashCause;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The cause that a structured answer names. A code of its own outranks the message; the message outranks a number, a
 * code that only repeats the status, and the status.
 */
record AnswerCause(
        @Nullable HashCause cause,
        @Nullable String noun,
        PhraseMatcher.@Nullable PhraseHit hit,
        @Nullable String code,
        List<String> words,
        String by) {
    private static final String UNKNOWN = RuleBasedHasher.UNKNOWN;
    private static final int MAX_WORDS = 5;
    private static final int MAX_FIRST = 8;

    /** A field that an SDK prints beside the message. */
    private static final LiteralPattern FIELD = new LiteralPattern(
            "(?!Error|Message|Detail|Cause|Description|Fault)[A-Z][\\w-]{1,20}(?: [A-Z][\\w-]{1,20}){0,2}: ");

    /** A value of the request that a message repeats. */
    private static final LiteralPattern VALUE = new LiteralPattern("[{][^{}]{0,400}[}]");

    /** Words that only say that a request was refused. */
    private static final Set<String> REFUSED = WordTables.list("answer-refusals");

    /** Statuses that a service answers whatever failed, so that a code with another reason says more. */
    private static final Set<String> VAGUE = Set.of("400", "500");

    private static final Set<String> NOTHING = Set.of("error", "failure", "fail", "failed", "exception");

    /** The cause of an answer; {@code echo} has the words of the call, which the answer may repeat. */
    static AnswerCause of(AnswerLine answer, Set<String> echo) {
        String thrown = null;
        String number = null;
        for (String listed : answer.codes()) {
            boolean named = listed.startsWith(AnswerLine.CLASS);
            String code = named ? listed.substring(1) : listed;
            if (code.startsWith(AnswerLine.PROBLEM)) {
                return coded(code.substring(1), "code");
            }
            if (code.startsWith(AnswerLine.THROWN)) {
                thrown = thrown == null ? code.substring(1) : thrown;
            } else if (isNumber(code) || echo.contains(code)) {
                number = number == null ? code : number;
            } else {
                AnswerCause known = ofCode(code);
                if (known == null && code.indexOf('-') < 0 && !AnswerWords.isVendor(code)) {
                    number = number == null ? code : number;
                    continue;
                }
                if (known == null
                        || !named
                                && known.noun == null
                                && !CauseLexicon.isRefusal(known.cause)
                                && !known.isOf(answer)) {
                    return coded(code, "code");
                }
                return named ? known : known.withCode(code);
            }
        }
        TokenizedLine tokens = clause(answer.message());
        String reason = AnswerWords.statusOf(answer.message());
        AnswerCause known = reason == null ? known(tokens, CauseLexicon.find(tokens), echo, "message") : null;
        if (known != null && (known.noun != null || known.cause == null || !known.cause.noun())) {
            return known;
        }
        List<String> words = words(tokens, echo);
        if (reason == null && !AnswerWords.isGeneric(String.join("-", words))) {
            return new AnswerCause(null, null, null, null, words, "message");
        }
        String status = answer.status() == null ? reason : answer.status();
        if (number != null) {
            return coded(number, "code");
        }
        for (String code : answer.general()) {
            String repeated = AnswerWords.statusOf(code.replace('-', ' '));
            if ((status == null || VAGUE.contains(status) && code.endsWith("-not-found"))
                    && repeated == null
                    && !NOTHING.contains(code)) {
                return coded(code, "general code");
            }
            status = status == null ? repeated : status;
        }
        if (status == null && thrown != null) {
            AnswerCause cause = ofCode(thrown);
            return cause == null ? coded(thrown, "class") : cause;
        }
        return coded(status == null ? UNKNOWN : "http-" + status, "status");
    }

    private static @Nullable AnswerCause ofCode(String code) {
        TokenizedLine tokens = TokenizedLine.of(code.replace('-', ' '));
        return known(tokens, CauseLexicon.find(tokens), Set.of(), "code");
    }

    /**
     * The cause of an answer to a program of the user: what an exception or a field of the first lines says, if the
     * answer has only a status.
     */
    static AnswerCause of(AnswerLine answer, List<ScoredLine> lines, Set<String> echo) {
        AnswerCause told = of(answer, echo);
        for (ScoredLine line : told.isGeneral() ? lines : List.<ScoredLine>of()) {
            ExceptionClass exception = line.exception();
            String message = exception == null ? AnswerLine.fieldMessage(line.text) : exception.message();
            if (!message.isEmpty()) {
                AnswerCause inner = of(AnswerLine.ofMessage(answer.status(), message), echo);
                if (!inner.isGeneral()) {
                    return inner;
                }
            }
        }
        return told;
    }

    /** A cause and the line that names it. */
    record Told(AnswerCause cause, ScoredLine line) {}

    /**
     * The cause of a failed request: the first line that tells more than a status, else the first with an answer.
     *
     * @param alone whether the first line is the whole answer, also without a status
     */
    static @Nullable Told ofRequest(List<ScoredLine> lines, Set<String> echo, boolean alone) {
        for (ScoredLine line : lines) {
            AnswerLine answer = line.answer();
            if (answer != null
                    && !answer.codes().isEmpty()
                    && !isNumber(answer.codes().get(0))) {
                return new Told(of(answer.withMessage(lines.get(0)), echo), line);
            }
        }
        Told first = null;
        String status = null;
        for (ScoredLine line : lines) {
            AnswerLine answer = line.answer();
            if (answer == null && line.hitAnywhere() == null) {
                answer = AnswerLine.ofRequest(line.text, line.exception());
            }
            if (answer == null && first != null && line.rank > SalientLines.NOISE && !isHeading(line.text)) {
                answer = new AnswerLine(status, List.of(), List.of(), line.text);
            }
            if (answer != null) {
                Told told = new Told(of(answer, echo), line);
                status = answer.status() == null ? status : answer.status();
                if (!told.cause.isGeneral() && !line.text.endsWith(":")) {
                    return told;
                }
                first = first == null || UNKNOWN.equals(first.cause.code) ? told : first;
            }
        }
        if (first == null && alone && lines.get(0).hitAnywhere() == null) {
            ScoredLine line = lines.get(0);
            AnswerCause told = of(AnswerLine.ofText(line.message), echo);
            return UNKNOWN.equals(told.code) ? null : new Told(told, line);
        }
        return first;
    }

    private static boolean isHeading(String line) {
        return line.startsWith("HTTP ")
                || line.endsWith(":")
                || line.endsWith(": None")
                || line.endsWith(": null")
                || FIELD.matcher(line).lookingAt();
    }

    /** Whether the cause only repeats the status. */
    boolean isGeneral() {
        return by.equals("status") || by.equals("general code");
    }

    /** Whether only words of the message tell the cause. */
    boolean isOfWords() {
        return cause == null && code == null;
    }

    /** The same cause with the code that names it, if it is about an account: a code tells refusals apart. */
    private AnswerCause withCode(String own) {
        boolean refused = CauseLexicon.isRefusal(cause) && !own.startsWith("rate-");
        return refused ? new AnswerCause(cause, noun, hit, own, words, by) : this;
    }

    /** Whether the message names the same cause, which an answer without the code then has as well. */
    private boolean isOf(AnswerLine answer) {
        PhraseMatcher.PhraseHit said = CauseLexicon.find(clause(answer.message()));
        return said != null && said.value().equals(cause);
    }

    private static AnswerCause coded(String code, String by) {
        return new AnswerCause(null, null, null, code, List.of(), by);
    }

    private static @Nullable AnswerCause known(
            TokenizedLine tokens, PhraseMatcher.@Nullable PhraseHit phrase, Set<String> echo, String by) {
        if (phrase == null || phrase.value().weak()) {
            return null;
        }
        String noun = phrase.value().noun() ? CauseLexicon.noun(tokens, phrase, echo) : null;
        return new AnswerCause(phrase.value(), noun, phrase, null, List.of(), by);
    }

    private static boolean isUpperCase(String text) {
        return text.equals(text.toUpperCase(Locale.ROOT));
    }

    private static boolean isNumber(String code) {
        int i = 0;
        while (i < code.length() && CharClasses.isDigit(code.charAt(i))) {
            i++;
        }
        return i == code.length();
    }

    /**
     * The tokens of the last part of a message between colons that has two words, one in its first sentence; without a
     * hint.
     */
    private static TokenizedLine clause(String message) {
        int hint = message.indexOf("Did you mean");
        String said = hint > 0 ? message.substring(0, hint) : message;
        String rest = said.indexOf('{') < 0 ? said : VALUE.matcher(said).replaceAll("…");
        rest = Slugs.isEmpty(rest) ? said : rest;
        for (int colon = rest.lastIndexOf(": "); colon > 0; colon = rest.lastIndexOf(": ", colon - 1)) {
            String part = rest.substring(colon + 2);
            TokenizedLine tokens = TokenizedLine.of(part);
            int words = 0;
            int first = -1;
            for (int i = 0; i < tokens.size && i < MAX_FIRST; i++) {
                boolean word = tokens.isWord(i) && !tokens.isQuoted(i) && WordTables.known(tokens.word(i));
                words += word ? 1 : 0;
                first = word && first < 0 ? tokens.start(i) : first;
            }
            int sentence = part.indexOf(". ");
            if (words >= 2 && (part.indexOf(' ') > 0 || part.indexOf(':') < 0) && (sentence < 0 || first < sentence)) {
                return tokens;
            }
        }
        return TokenizedLine.of(rest);
    }

    /** The first words of the vocabulary in the last clause of a message, which tell the reason of a refusal. */
    static List<String> reason(String message, Set<String> echo) {
        List<String> known = new ArrayList<>();
        for (String word : words(clause(message), echo)) {
            if (WordTables.telling(word) && known.size() < 4) {
                known.add(word);
            }
        }
        return AnswerWords.isGeneric(String.join("-", known)) ? List.of() : known;
    }

    /** The first words of the vocabulary that tell why a request was refused, not only that it was. */
    static List<String> refusal(String message, Set<String> echo) {
        TokenizedLine last = TokenizedLine.of(message.substring(message.lastIndexOf(": ") + 1));
        List<String> told = new ArrayList<>();
        for (String word : words(CauseLexicon.find(last) == null ? clause(message) : last, echo)) {
            if (WordTables.telling(word) && !REFUSED.contains(word) && told.size() < 2) {
                told.add(word);
            }
        }
        return told;
    }

    /** The first words of the first sentence, without names and values. */
    private static List<String> words(TokenizedLine tokens, Set<String> echo) {
        List<String> out = new ArrayList<>();
        int end = tokens.firstSentence();
        for (int i = 0; i < end && out.size() < MAX_WORDS; i++) {
            String word = tokens.word(i);
            if (tokens.isWord(i)
                    && !tokens.isQuoted(i)
                    && tokens.isApart(i)
                    && word.length() > 1
                    && !(isUpperCase(tokens.text(i)) && !WordTables.known(word))
                    && !echo.contains(word)
                    && !WordTables.stop(word)
                    && !DiagnosticWords.isDatum(tokens, i)) {
                out.add(word);
            }
        }
        return out;
    }
}
