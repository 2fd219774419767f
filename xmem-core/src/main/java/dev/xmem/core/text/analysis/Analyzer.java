package dev.xmem.core.text.analysis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Cuts text into terms, the same way for entries and for requests.
 *
 * <p>Text is folded ({@link UnicodeFolding}) and cut at everything that is not a letter or digit. Letters and digits joined by
 * one of {@code _ - . / \ @ +} are an identifier: it is a term as a whole, unstemmed, and so is each piece of a path;
 * their parts, cut at the joiners and at {@code camelCase} humps, are terms as well, and a name that ends in digits also
 * without them ({@code python3}, {@code python}). Codes such as {@code E0308} stay in one piece. Words are stemmed
 * ({@link Stemmer}), stop words dropped; a word after a negation is a term twice, plain and as {@code !word}. Scripts
 * without spaces become pairs of characters. What the words mean together is found by {@link LexiconPhrases}.
 *
 * <p>A term has at most {@value #LONGEST_TERM} characters (longer words are cut, longer identifiers are only split), a
 * text at most {@value #MOST_WORDS} words; what follows is not analysed.
 *
 * <p>The result depends on the text alone. An object remembers what it made of the chunks that it saw last
 * ({@link ChunkCache}), has scratch space and serves one thread at a time.
 */
public final class Analyzer {
    public static final int LONGEST_TERM = 64;
    public static final int MOST_WORDS = 8192;

    private static final char[] NONE = {};
    /** What may end in {@code ++} has at most so many letters. */
    private static final int PLUS_PLUS = 3;

    private final TokenConsumer sink;
    private final boolean placed;
    private final TokenBuffer steps = new TokenBuffer();
    private final ChunkCache chunks = new ChunkCache(steps);
    private final CompoundSplitter splitter;
    private final LexiconPhrases phrases;
    private final char[] pair = new char[2];
    private char[] text = NONE;
    private int end;
    private int position;
    private int[] starts = new int[64];
    private int[] ends = new int[64];
    private boolean negated;

    public Analyzer(TokenConsumer sink) {
        this.sink = sink;
        this.placed = sink.isRequest();
        this.splitter = new CompoundSplitter(sink, steps);
        this.phrases = new LexiconPhrases(sink);
    }

    /** A term and what it stands for. */
    public record Term(String text, TokenType kind) {}

    /** The terms of a text, in order. */
    public static List<Term> terms(String text) {
        List<Term> terms = new ArrayList<>();
        new Analyzer(new TermCollector((term, kind, from, to) -> terms.add(new Term(term, kind)))).analyze(text);
        return terms;
    }

    public void analyze(String raw) {
        analyze(raw.toCharArray(), 0, raw.length());
    }

    /** Hands over the terms of the text that stands in an array. */
    public void analyze(char[] in, int from, int to) {
        begin(in, to);
        int at = WordChars.isForeign(in, from, to) ? folded(from) : from;
        while (at < end && position < MOST_WORDS) {
            int kind = WordChars.kind(text[at]);
            if ((kind & WordChars.WORD) != 0) {
                at = chunk(at);
            } else if (kind == WordChars.UNSPACED) {
                at = pairs(at);
            } else {
                at++;
            }
        }
        text = NONE;
    }

    private void begin(char[] in, int to) {
        text = in;
        end = to;
        position = 0;
        negated = false;
        phrases.reset();
    }

    /** Takes the text's folded form in its place. Returns where that begins. */
    private int folded(int from) {
        text = UnicodeFolding.fold(new String(text, from, end - from)).toCharArray();
        end = text.length;
        return 0;
    }

    /** The text from one position to another, both already analysed, as it was written but for folding. */
    public String written(int from, int to) {
        return new String(text, starts[from], ends[to] - starts[from]);
    }

    // Scripts without spaces

    private int pairs(int from) {
        int to = from;
        while (isUnspaced(to) && position < MOST_WORDS) {
            to++;
            if (isUnspaced(to)) {
                pair(to - 1, to + 1);
            } else if (to - from == 1) {
                pair(from, to);
            }
        }
        return to;
    }

    private boolean isUnspaced(int index) {
        return index < end && WordChars.kind(text[index]) == WordChars.UNSPACED;
    }

    private void pair(int from, int to) {
        if (placed) {
            place(from, to);
        }
        int size = to - from;
        for (int i = 0; i < size; i++) {
            pair[i] = WordChars.lower(text[from + i]);
        }
        sink.term(sink.known(pair, size, WordChars.hash(pair, size)), TokenType.WORD, position, position);
        phrases.reset();
        negated = false;
        position++;
    }

    // Words and identifiers

    private int chunk(int from) {
        int kinds = 0;
        long sum = 0;
        int to = from;
        char[] in = text;
        for (int limit = end; to < limit; to++) {
            char c = in[to];
            int kind = WordChars.kind(c);
            if ((kind & WordChars.WORD) == 0 && (kind != WordChars.JOINER || !isWord(to + 1))) {
                break;
            }
            kinds |= kind;
            sum = WordChars.sum(sum, c);
        }
        if ((kinds & WordChars.JOINER) == 0 && to - from <= PLUS_PLUS && isPlus(to) && isPlus(to + 1)) {
            to += 2;
            sum++;
        }
        take(from, to, WordChars.hash(sum));
        return to;
    }

    private boolean isWord(int index) {
        return index < end && (WordChars.kind(text[index]) & WordChars.WORD) != 0;
    }

    private boolean isPlus(int index) {
        return index < end && text[index] == '+';
    }

    /** Takes the steps of a chunk: those found when it was seen before, if it was, and surely none is cut off at its end. */
    private void take(int from, int to, int hash) {
        if (to - from <= ChunkCache.LONGEST && position <= MOST_WORDS - ChunkCache.LONGEST) {
            int chunk = chunks.find(text, from, to, hash);
            if (chunk < 0) {
                chunks.makeRoom();
                splitter.split(text, from, to, MOST_WORDS);
                chunk = chunks.add(text, from, to, hash);
            }
            takeSteps(from, chunks.begin(chunk), chunks.end(chunk));
        } else {
            int begin = steps.count();
            splitter.split(text, from, to, MOST_WORDS - position);
            takeSteps(from, begin, steps.count());
            steps.truncate(begin);
        }
    }

    private void takeSteps(int from, int begin, int to) {
        int first = position;
        boolean idle = isIdle();
        for (int step = begin; step < to; step++) {
            boolean word = steps.isWord(step);
            if (word && placed) {
                place(from + steps.from(step), from + steps.to(step));
            }
            if (steps.term(step) != TokenBuffer.NONE) {
                term(step, first);
            }
            if (word && (!idle || !steps.isPlain(step))) {
                inContext(step);
                idle = isIdle();
            }
            position += word ? 1 : 0;
        }
    }

    private void term(int step, int first) {
        if (!placed) {
            sink.term(steps.term(step), steps.kind(step), 0, 0);
        } else if (steps.isWord(step)) {
            sink.term(steps.term(step), steps.kind(step), position, position);
        } else {
            sink.term(steps.term(step), steps.kind(step), first + steps.from(step), first + steps.to(step));
        }
    }

    /** Whether the words before say nothing of how the next is meant. */
    private boolean isIdle() {
        return !negated && phrases.areIdle();
    }

    /** What a word means behind those before, and says of those behind it. */
    private void inContext(int step) {
        int term = steps.term(step);
        if (negated && term != TokenBuffer.NONE) {
            sink.term(sink.negated(term), TokenType.NEGATED, position, position);
            negated = false;
        }
        if (!steps.isFiller(step)) {
            phrases.word(steps.inPhrase(step), position);
        }
        negated |= steps.negates(step);
    }

    /** Where in the text the word at the current position stands. */
    private void place(int from, int to) {
        if (position == starts.length) {
            starts = Arrays.copyOf(starts, position * 2);
            ends = Arrays.copyOf(ends, position * 2);
        }
        starts[position] = from;
        ends[position] = to;
    }
}
