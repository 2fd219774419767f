package dev.xmem.benchmarks;

/**
 * The queries of the search benchmarks. All except the ranked ones return the newest matching entries, newest first.
 */
public enum QueryType {
    /** The newest page of a context hash; consecutive queries differ, so no engine can answer from a page cache. */
    PAGE_FIRST(Kind.HASH, "newest 70 of a context hash, new query", false),
    /** The newest page of a few context hashes, repeatedly. */
    PAGE_AGAIN(Kind.HASH, "newest 70 of a context hash, repeated query", false),
    /** A word that many entries contain. */
    LITERAL_COMMON(Kind.LITERAL, "literal, common, newest 20", true),
    /** A text that no entry contains, made of rare letter combinations. */
    LITERAL_ABSENT(Kind.LITERAL, "literal, absent", false),
    /** A text that no entry contains, in the form of texts that entries contain: a path, an identifier, a code. */
    LITERAL_NEAR_MISS(Kind.LITERAL, "literal, absent, near miss", false),
    /** A text that only one of the oldest entries contains. */
    LITERAL_FAR(Kind.LITERAL, "literal, one old hit", false),
    /** Five very frequent words that never occur in this sequence. */
    PHRASE_ABSENT(Kind.LITERAL, "phrase of common words, absent", false),
    /** A regular expression with a literal part that matches one of the oldest entries. */
    REGEX_LITERAL(Kind.REGEX, "regex with a literal part, one old hit", false),
    /** A regular expression without a literal part that many entries match. */
    REGEX_OPEN(Kind.REGEX, "regex without a literal part, common, newest 20", true),
    /** A regular expression without a literal part that no entry matches. */
    REGEX_OPEN_ABSENT(Kind.REGEX, "regex without a literal part, absent", false),
    /** One word, by relevance. */
    RANKED_ONE(Kind.WORDS, "ranked, one word, top 20", false),
    /** Three words joined by OR, by relevance. */
    RANKED_THREE(Kind.WORDS, "ranked, three words, top 20", false);

    /** How an engine interprets the text of a query. */
    public enum Kind {
        HASH,
        LITERAL,
        REGEX,
        WORDS
    }

    private static final int SEARCH_LIMIT = 20;

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

    /** The label in tables. */
    public String label() {
        return label;
    }

    /** Whether a search from the newest entry stops early. */
    boolean newestSuffice() {
        return newestSuffice;
    }

    /** The maximum number of entries of an answer. */
    int limit() {
        return kind == Kind.HASH ? Peer.PAGE : SEARCH_LIMIT;
    }

    /** Whether there is exactly one correct answer. */
    public boolean exact() {
        return kind != Kind.WORDS;
    }

    /** Whether an engine may answer from its cache. */
    boolean repeated() {
        return this == PAGE_AGAIN;
    }
}
