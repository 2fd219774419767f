package dev.xmem.benchmarks;

/** What is asked of a store. The answer of every operation but the ranked ones is the newest entries, newest first. */
public enum QueryType {
    /** The newest page of a context hash, each time of another one; no page of an answer is remembered. */
    PAGE_FIRST(Kind.HASH, "newest 70 of a context hash, each time another", false),
    /** The same for a few hashes, over and over. */
    PAGE_AGAIN(Kind.HASH, "newest 70 of a context hash, asked before", false),
    /** A word that stands in many entries. */
    LITERAL_COMMON(Kind.LITERAL, "literal, common, newest 20", true),
    /** A text that no entry has, made of letters that seldom meet. */
    LITERAL_ABSENT(Kind.LITERAL, "literal, absent", false),
    /** A text that no entry has, of the form of texts that entries have: a path, an identifier, a code. */
    LITERAL_NEAR_MISS(Kind.LITERAL, "literal, absent, like others", false),
    /** A text that one of the oldest entries has. */
    LITERAL_FAR(Kind.LITERAL, "literal, one hit far back", false),
    /** Five words, each in nearly every entry, that never follow each other so. */
    PHRASE_ABSENT(Kind.LITERAL, "phrase of common words, absent", false),
    /** A regular expression with a literal part, for one of the oldest entries. */
    REGEX_LITERAL(Kind.REGEX, "regex with a literal part, one hit far back", false),
    /** A regular expression without a literal part that many entries match. */
    REGEX_OPEN(Kind.REGEX, "regex without a literal part, common, newest 20", true),
    /** A regular expression without a literal part that no entry matches. */
    REGEX_OPEN_ABSENT(Kind.REGEX, "regex without a literal part, absent", false),
    /** One word, by relevance. */
    RANKED_ONE(Kind.WORDS, "ranked, one word, best 20", false),
    /** Three words joined by OR, by relevance. */
    RANKED_THREE(Kind.WORDS, "ranked, three words, best 20", false);

    /** How a question's text is meant. */
    public enum Kind {
        HASH,
        LITERAL,
        REGEX,
        WORDS
    }

    private static final int SHORT = 20;

    private final Kind kind;
    private final String label;
    private final boolean newestSuffice;

    QueryType(Kind kind, String label, boolean newestSuffice) {
        this.kind = kind;
        this.label = label;
        this.newestSuffice = newestSuffice;
    }

    Kind kind() {
        return kind;
    }

    /** A name for tables. */
    public String label() {
        return label;
    }

    /** Whether the newest entries are enough for an answer. */
    boolean newestSuffice() {
        return newestSuffice;
    }

    /** The most entries of an answer. */
    int limit() {
        return kind == Kind.HASH ? Peer.PAGE : SHORT;
    }

    /** Whether there is one right answer. */
    public boolean exact() {
        return kind != Kind.WORDS;
    }

    /** Whether the same questions come back so soon that an engine may remember the answer. */
    boolean repeated() {
        return this == PAGE_AGAIN;
    }
}
