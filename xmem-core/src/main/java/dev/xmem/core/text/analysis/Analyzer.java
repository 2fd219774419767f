package dev.xmem.core.text.analysis;

import java.text.Normalizer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The analyzer: splits text into terms, the same way for entries and for queries.
 *
 * <p>Text is folded: compatibility forms such as full-width letters and ligatures are resolved, Latin diacritics
 * dropped, and the rest composed again (NFKD, then NFC). Case stays for now. ASCII needs no folding.
 *
 * <p>Then text is cut into chunks at everything but letters and digits. Letters and digits joined by one of
 * {@code _ - . / \ @ +} are an identifier. It is a term as a whole, unstemmed, and so is each segment of a path. Its
 * parts, split at the joiners and at {@code camelCase} humps, are terms as well; a name that ends in digits is also a
 * term without them ({@code python3}, {@code python}). Codes such as {@code E0308} stay whole. Words are stemmed
 * ({@link Stemmer}) and stop words dropped. A word after a negation gives two terms, {@code word} and {@code !word}.
 * Scripts without spaces become bigrams of characters. {@link LexiconPhrases} adds the causes and synonyms of phrases.
 *
 * <p>A term has at most {@value #LONGEST_TERM} characters: longer words are truncated, longer identifiers only split. A
 * text has at most {@value #MOST_WORDS} words; the rest is not analyzed.
 *
 * <p>The result depends on the text alone. An analyzer caches the tokens of recent chunks ({@link TextCache}) and
 * serves one thread at a time.
 */
public final class Analyzer {
    public static final int LONGEST_TERM = 64;
    public static final int MOST_WORDS = 8192;

    private static final char[] NONE = {};
    /** The maximum length of a cached chunk; longer ones hardly recur. */
    private static final int LONGEST_CACHED = 128;

    private static final int MOST_CACHED =
            (int) Math.min(1 << 22, Runtime.getRuntime().maxMemory() >> 7);
    /** The maximum length of a name before {@code ++}. */
    private static final int PLUS_PLUS = 3;

    private final TokenConsumer consumer;
    private final boolean query;
    private final TokenBuffer tokens = new TokenBuffer();
    private final TextCache chunks = new TextCache(MOST_CACHED);
    private final CompoundSplitter splitter;
    private final LexiconPhrases phrases;
    private final Lexicon lexicon;
    private final char[] bigram = new char[2];
    private char[] text = NONE;
    private int end;
    private int position;
    private int[] starts = new int[64];
    private int[] ends = new int[64];
    private boolean negated;

    public Analyzer(TokenConsumer consumer) {
        this(consumer, Lexicon.of(consumer.isQuery()));
    }

    private Analyzer(TokenConsumer consumer, Lexicon lexicon) {
        this.consumer = consumer;
        this.query = consumer.isQuery();
        this.splitter = new CompoundSplitter(consumer, tokens, lexicon);
        this.phrases = new LexiconPhrases(consumer);
        this.lexicon = lexicon;
    }

    /** A term and its type. */
    public record Term(String text, TokenType kind) {}

    /** The terms of a text, in order, without the words of queries only. */
    public static List<Term> terms(String text) {
        List<Term> terms = new ArrayList<>();
        TermCollector collector = new TermCollector((term, kind, from, to) -> terms.add(new Term(term, kind)));
        new Analyzer(collector, Lexicon.standard()).analyze(text);
        return terms;
    }

    public void analyze(String raw) {
        analyze(raw.toCharArray(), 0, raw.length());
    }

    /** Passes the terms of a range of an array to the consumer. */
    public void analyze(char[] in, int from, int to) {
        begin(in, to);
        int at = WordChars.isForeign(in, from, to) ? folded(from) : from;
        while (at < end && position < MOST_WORDS) {
            int kind = WordChars.kind(text[at]);
            if ((kind & WordChars.WORD) != 0) {
                at = chunk(at);
            } else if (kind == WordChars.UNSPACED) {
                at = bigrams(at);
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

    /** Replaces the text by its folded form. Returns the start of that. */
    private int folded(int from) {
        String decomposed = Normalizer.normalize(new String(text, from, end - from), Normalizer.Form.NFKD);
        StringBuilder kept = new StringBuilder(decomposed.length());
        for (int i = 0; i < decomposed.length(); i++) {
            char c = decomposed.charAt(i);
            if (c < 0x300 || c > 0x36F) {
                kept.append(c);
            }
        }
        text = Normalizer.normalize(kept, Normalizer.Form.NFC).toCharArray();
        end = text.length;
        return 0;
    }

    /** The folded text from one word position to another, both already analyzed. Only for queries. */
    public String written(int from, int to) {
        return new String(text, starts[from], ends[to] - starts[from]);
    }

    private int bigrams(int from) {
        int to = from;
        while (isUnspaced(to) && position < MOST_WORDS) {
            to++;
            if (isUnspaced(to)) {
                bigram(to - 1, to + 1);
            } else if (to - from == 1) {
                bigram(from, to);
            }
        }
        return to;
    }

    private boolean isUnspaced(int index) {
        return index < end && WordChars.kind(text[index]) == WordChars.UNSPACED;
    }

    private void bigram(int from, int to) {
        if (query) {
            place(from, to);
        }
        int size = to - from;
        for (int i = 0; i < size; i++) {
            bigram[i] = WordChars.lower(text[from + i]);
        }
        consumer.term(consumer.known(bigram, size, WordChars.hash(bigram, size)), TokenType.WORD, position, position);
        phrases.reset();
        negated = false;
        position++;
    }

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
            sum = WordChars.sum(WordChars.sum(sum, '+'), '+');
        }
        emitChunk(from, to, kinds, WordChars.hash(sum));
        return to;
    }

    private boolean isWord(int index) {
        return index < end && (WordChars.kind(text[index]) & WordChars.WORD) != 0;
    }

    private boolean isPlus(int index) {
        return index < end && text[index] == '+';
    }

    /** Emits the tokens of a chunk: the cached ones, unless the limit of words could cut the chunk. */
    private void emitChunk(int from, int to, int kinds, int hash) {
        boolean cached = !query && to - from <= LONGEST_CACHED && position <= MOST_WORDS - LONGEST_CACHED;
        cached &= kinds != (WordChars.DIGIT | WordChars.JOINER); // ids hardly recur, and are one term
        int known = cached ? chunks.find(text, from, to, hash) : TextCache.NONE;
        if (known != TextCache.NONE) {
            int end = chunks.end(known);
            for (int at = chunks.begin(known); at < end; at += 4) {
                emit(chunks.number(at), chunks.number(at + 2), 0, 0);
            }
            return;
        }
        tokens.clear();
        splitter.split(text, from, to, kinds, MOST_WORDS - position);
        if (cached) {
            chunks.add(text, from, to, hash, tokens.numbers(), 2 * tokens.count());
        }
        int first = position;
        for (int token = 0; token < tokens.count(); token++) {
            int flags = tokens.flags(token);
            if (!query) {
                emit(tokens.term(token), flags, 0, 0);
            } else if (TokenBuffer.isWord(flags)) {
                place(from + tokens.from(token), from + tokens.to(token));
                emit(tokens.term(token), flags, position, position);
            } else {
                emit(tokens.term(token), flags, first + tokens.from(token), first + tokens.to(token));
            }
        }
    }

    private void emit(int term, int flags, int from, int to) {
        if (term != TokenBuffer.NONE) {
            consumer.term(term, TokenBuffer.kind(flags), from, to);
        }
        if (TokenBuffer.isWord(flags)) {
            if (!TokenBuffer.isPlain(flags) || negated || !phrases.areIdle()) {
                inContext(term, flags);
            }
            position++;
        }
    }

    /** Applies the rules that depend on the words before to a word: negation and phrases. */
    private void inContext(int term, int flags) {
        if (negated && term != TokenBuffer.NONE) {
            consumer.term(consumer.negated(term), TokenType.NEGATED, position, position);
            negated = false;
        }
        if (!TokenBuffer.isFiller(flags)) {
            phrases.word(TokenBuffer.inPhrase(flags, lexicon), position);
        }
        negated |= TokenBuffer.negates(flags);
    }

    /** Records the range of the word at the current position. */
    private void place(int from, int to) {
        if (position == starts.length) {
            starts = Arrays.copyOf(starts, position * 2);
            ends = Arrays.copyOf(ends, position * 2);
        }
        starts[position] = from;
        ends[position] = to;
    }
}
