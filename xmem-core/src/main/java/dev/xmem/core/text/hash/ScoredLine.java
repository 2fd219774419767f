package dev.xmem.core.text.hash;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A line of an error, and its rank: how likely it is to carry the diagnosis. What is expensive is computed on first
 * use.
 */
final class ScoredLine implements Comparable<ScoredLine> {
    /** The line without trailing blanks. */
    final String raw;

    /** The line without indentation, timestamp and decoration. */
    final String text;

    final boolean indented;
    int rank;

    /** The text without the tool's name and words such as {@code error:} in front. */
    String message;

    /** The line that continues this one, or null. */
    @Nullable ScoredLine next;

    /** What the line is by itself; or null. */
    @Nullable Alone alone;

    /** The same line of another reading of the error, whose results are used again; or null. */
    final @Nullable ScoredLine earlier;

    /** The letters of the text, see {@link LiteralPattern}. */
    final long letters;

    private @Nullable TokenizedLine tokens;
    private @Nullable ExceptionClass exception;
    private boolean exceptionRead;
    private @Nullable AnswerLine answer;
    private boolean answerRead;
    /** Whether the answer is not that of the text. */
    private boolean replaced;

    private PhraseMatcher.@Nullable PhraseHit hit;
    private boolean searched;

    /**
     * What a line is without the lines beside it.
     *
     * @param fixed whether no line beside it changes its rank
     */
    record Alone(
            int rank,
            String message,
            boolean fixed,
            @Nullable TokenizedLine tokens,
            PhraseMatcher.@Nullable PhraseHit hit,
            boolean searched) {}

    ScoredLine(String raw, String text, @Nullable ScoredLine earlier) {
        this.raw = raw;
        this.text = text;
        this.indented = raw.charAt(0) == ' ' || raw.charAt(0) == '\t';
        this.message = text;
        this.letters = earlier == null ? LiteralPattern.letters(text) : earlier.letters;
        this.earlier = earlier;
    }

    /** What this line is by itself, now that it is ranked. */
    Alone alone(int rank, boolean fixed) {
        return new Alone(rank, message, fixed, tokens, hit, searched);
    }

    /** Takes what an equal line is by itself. */
    void take(Alone known) {
        alone = known;
        message = known.message;
        tokens = known.tokens;
        hit = known.hit;
        searched = known.searched;
    }

    /** Orders lines by rank, the highest first. */
    @Override
    public int compareTo(ScoredLine other) {
        return Integer.compare(other.rank, rank);
    }

    /** The tokens of the message and of the line that continues it. */
    TokenizedLine tokens() {
        TokenizedLine made = tokens;
        if (made == null) {
            ScoredLine continued = next;
            String joined = continued == null ? message : message + ' ' + continued.message;
            TokenizedLine known = earlier == null ? null : earlier.tokens;
            made = known != null && known.line.equals(joined) ? known : TokenizedLine.of(joined);
            tokens = made;
        }
        return made;
    }

    /** The cause that the message names, or null. */
    PhraseMatcher.@Nullable PhraseHit hit() {
        if (!searched) {
            TokenizedLine made = tokens();
            ScoredLine known = earlier;
            hit = known != null && known.searched && known.tokens == made ? known.hit : CauseLexicon.find(made);
            searched = true;
        }
        return hit;
    }

    /** The cause that the message names if the cause has the flag {@code anywhere}, or null. */
    PhraseMatcher.@Nullable PhraseHit hitAnywhere() {
        PhraseMatcher.PhraseHit any = hit();
        return any != null && any.value().anywhere() ? any : null;
    }

    /** The noun that the cause of the message is about, or null. */
    @Nullable String noun(Set<String> echo) {
        PhraseMatcher.PhraseHit named = hit();
        return named == null || !named.value().noun() ? null : CauseLexicon.noun(tokens(), named, echo);
    }

    /** Whether the words of the message name a cause that tells failures apart. */
    boolean tells(Set<String> echo) {
        PhraseMatcher.PhraseHit named = hit();
        return named != null && (!named.value().weak() || noun(echo) != null);
    }

    /** Whether the line is the innermost cause and its words name it: the classes of its wrappers tell nothing. */
    boolean tellsCause(Set<String> echo) {
        return rank == SalientLines.CAUSE && tells(echo);
    }

    /** The message of the exception that the line reports, or else of the line. */
    String said() {
        ExceptionClass thrown = exception();
        return thrown == null ? message : thrown.message();
    }

    /** The structured answer that the line reports, or null. */
    @Nullable AnswerLine answer() {
        if (!answerRead) {
            answer = earlier != null && earlier.answerRead && !earlier.replaced
                    ? earlier.answer
                    : AnswerLine.of(text, letters);
            answerRead = true;
            if (answer != null) {
                message = answer.message();
            }
        }
        return answer;
    }

    /** Reads the line as a field of the exception of an SDK, if it is one. */
    void readProperty() {
        if (answer() == null) {
            answer = AnswerLine.ofProperty(text);
        }
    }

    /** Reads the line as a message of a program that has no values of the user. */
    void answerWith(String text) {
        answer = new AnswerLine(null, List.of(), List.of(), text);
        answerRead = true;
        replaced = true;
    }

    /** Whether the answer is not that of the text. */
    boolean isReplaced() {
        return replaced;
    }

    @Nullable ExceptionClass exception() {
        if (!exceptionRead) {
            exception = earlier != null && earlier.exceptionRead ? earlier.exception : ExceptionClass.of(text);
            exceptionRead = true;
        }
        return exception;
    }

    /** The first comparison signs: more than and less than are different failures. */
    List<String> signs(int limit) {
        TokenizedLine made = tokens();
        List<String> out = new ArrayList<>();
        for (int i = 0; i < made.size && out.size() < limit; i++) {
            if (made.kind(i) == TokenizedLine.SIGN && !made.isQuoted(i)) {
                out.add(made.word(i));
            }
        }
        return out;
    }

    /**
     * The first signs and words that are in the vocabulary, or that are no stop words; without those of the call and of
     * the cause.
     */
    List<String> words(int limit, boolean known, Set<String> echo, String cause) {
        TokenizedLine made = tokens();
        List<String> out = new ArrayList<>();
        for (int i = 0; i < made.size && out.size() < limit; i++) {
            String word = made.word(i);
            boolean telling = made.kind(i) == TokenizedLine.SIGN
                    || made.isWord(i)
                            && !echo.contains(word)
                            && word.length() > 1
                            && (known ? WordTables.telling(word) : !WordTables.stop(word));
            boolean repeated = !out.isEmpty() && out.get(out.size() - 1).equals(word) || cause.contains(word);
            if (telling && !repeated && !made.isQuoted(i) && !DiagnosticWords.isDatum(made, i)) {
                out.add(word);
            }
        }
        return out;
    }

    /** Whether a word of the message may carry a diagnosis. */
    boolean isDiagnostic() {
        TokenizedLine made = tokens();
        for (int i = 0; i < made.size; i++) {
            if (made.isWord(i) && WordTables.DIAGNOSTIC.contains(made.word(i))) {
                return true;
            }
        }
        return false;
    }

    /** Makes a line the continuation of this one. */
    void continueWith(ScoredLine continued) {
        next = continued;
        tokens = null;
        searched = false;
    }
}
