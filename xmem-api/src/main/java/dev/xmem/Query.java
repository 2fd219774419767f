package dev.xmem;

import java.time.Instant;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A query: text, filters, order and page. Immutable and thread-safe; each setter returns a copy. Filters are combined
 * by AND, words by OR with ranking. Defaults: all kinds, {@link Order#RELEVANCE}, {@link Layout#LIST}, a limit of
 * {@value #MAX_ENTRIES} entries, offset 0, the store's token budget.
 */
public final class Query {
    /** The maximum number of entries on a page. */
    public static final int MAX_ENTRIES = 70;

    /** The minimum token budget of a page. */
    public static final int MIN_TOKEN_BUDGET = 100;

    private static final Query ALL = new Query();

    private TextMode textMode = TextMode.NONE;
    private String text = "";
    private Set<Entry.Kind> kinds = Set.of();
    private @Nullable String type;
    private @Nullable String tool;
    private @Nullable String tag;
    private @Nullable String ctxHash;
    private @Nullable String session;
    private @Nullable Instant from;
    private @Nullable Instant to;
    private Order order = Order.RELEVANCE;
    private Layout layout = Layout.LIST;
    private int limit = MAX_ENTRIES;
    private int offset;
    private @Nullable String cursor;
    private int tokenBudget;
    private Layer layer = Layer.PROJECT;
    private boolean deep;
    /** What {@link #toString} returns, once it was asked for. */
    private @Nullable String printed;

    private Query() {}

    private Query(Query q) {
        textMode = q.textMode;
        text = q.text;
        kinds = q.kinds;
        type = q.type;
        tool = q.tool;
        tag = q.tag;
        ctxHash = q.ctxHash;
        session = q.session;
        from = q.from;
        to = q.to;
        order = q.order;
        layout = q.layout;
        limit = q.limit;
        offset = q.offset;
        cursor = q.cursor;
        tokenBudget = q.tokenBudget;
        layer = q.layer;
        deep = q.deep;
    }

    /** Returns a query that matches every entry; filters narrow it. */
    public static Query all() {
        return ALL;
    }

    /**
     * Returns a query for words, best match first. Words are combined by OR over all fields, stemmed, and scored by
     * BM25 over weighted fields (Robertson and Zaragoza, <cite>The Probabilistic Relevance Framework: BM25 and
     * Beyond</cite>, 2009). Identifiers also match by their parts, and causes of errors by synonymous phrases. Entries
     * that score far below the best one, or match only very frequent words, are omitted unless the query is
     * {@link #deep}.
     */
    public static Query words(String text) {
        return ALL.text(TextMode.WORDS, text);
    }

    /** Returns a query for entries with a field that contains exactly this text, case-sensitively. */
    public static Query literal(String text) {
        return ALL.text(TextMode.LITERAL, text);
    }

    /**
     * Returns a query for entries with a field in which a {@link java.util.regex.Pattern} is found. The pattern has at
     * most 1,000 characters. A malformed pattern, and a search that takes too many steps, throw
     * {@link XMemException.Syntax} when the query is executed.
     */
    public static Query regex(String pattern) {
        return ALL.text(TextMode.REGEX, pattern);
    }

    /**
     * Parses the query language of the slash commands: {@code key=value} or {@code --key=value} with the keys
     * {@code tool, tag, ctx_hash, type, session, since, until, order, limit, offset, cursor, budget, layer, deep}, and
     * free words; {@code --deep} is {@code deep=true}. A value or phrase may be in double quotes. Free text that is one
     * quoted phrase is a literal, and {@code /text/} a regular expression. Beside other words, a phrase is words.
     *
     * @param words the query, in one or more arguments, which are joined by blanks
     * @throws XMemException.Syntax if a value is not valid for its key, an option is unknown, there are two quoted
     *     phrases, or a key is one typing error away from a known one, such as {@code tol=}; in double quotes the word
     *     is searched for
     */
    public static Query parse(String... words) {
        return QueryParser.parse(String.join(" ", FieldSource.list("words", words)));
    }

    private Query text(TextMode mode, String value) {
        Query q = new Query(this);
        q.textMode = mode;
        q.text = Objects.requireNonNull(value, "text");
        return q;
    }

    /** Returns a copy with the text of another query. */
    Query withTextOf(Query other) {
        return text(other.textMode, other.text);
    }

    /** Returns a copy restricted to these kinds; without arguments, every kind matches. Default: all kinds. */
    public Query kind(Entry.Kind... kinds) {
        Query q = new Query(this);
        Set<Entry.Kind> set = EnumSet.noneOf(Entry.Kind.class);
        set.addAll(FieldSource.list("kinds", kinds));
        q.kinds = Set.copyOf(set);
        return q;
    }

    /** Returns a copy restricted to notes of this type, such as {@code fact}. */
    public Query type(String type) {
        Query q = new Query(this);
        q.type = Objects.requireNonNull(type, "type");
        return q;
    }

    /** Returns a copy restricted to failures and successes of this tool, ignoring case. */
    public Query tool(String tool) {
        Query q = new Query(this);
        q.tool = Objects.requireNonNull(tool, "tool");
        return q;
    }

    /** Returns a copy restricted to entries with this tag, ignoring case. */
    public Query tag(String tag) {
        Query q = new Query(this);
        q.tag = Objects.requireNonNull(tag, "tag");
        return q;
    }

    /** Returns a copy restricted to entries with this context hash. */
    public Query ctxHash(String hash) {
        Query q = new Query(this);
        q.ctxHash = Objects.requireNonNull(hash, "hash");
        return q;
    }

    /** Returns a copy restricted to entries that this session recorded. */
    public Query session(String session) {
        Query q = new Query(this);
        q.session = Objects.requireNonNull(session, "session");
        return q;
    }

    /** Returns a copy restricted to entries with {@code from ≤ ts < to}; null leaves an end open. */
    public Query between(@Nullable Instant from, @Nullable Instant to) {
        Query q = new Query(this);
        q.from = from;
        q.to = to;
        return q;
    }

    /** Returns a copy with this order. Default {@link Order#RELEVANCE}. */
    public Query order(Order order) {
        Query q = new Query(this);
        q.order = Objects.requireNonNull(order, "order");
        return q;
    }

    /**
     * Returns a copy that searches the store of this layer, and no other. Default {@link Layer#PROJECT}, the store
     * itself.
     */
    public Query layer(Layer layer) {
        Query q = new Query(this);
        q.layer = Objects.requireNonNull(layer, "layer");
        return q;
    }

    /**
     * Returns a copy that lists every entry with a word of the query, however far below the best one it scores. For
     * callers that rank or filter the entries themselves. Affects only {@link #words}; stop words still match nothing.
     * Default: entries far below the best one are omitted.
     */
    public Query deep() {
        Query q = new Query(this);
        q.deep = true;
        return q;
    }

    /** Returns a copy with this layout of {@link Page#text()}. Default {@link Layout#LIST}. */
    public Query layout(Layout layout) {
        Query q = new Query(this);
        q.layout = Objects.requireNonNull(layout, "layout");
        return q;
    }

    /**
     * Returns a copy with a maximum number of entries per page. Larger values than {@value #MAX_ENTRIES}, the default,
     * have no effect.
     *
     * @throws IllegalArgumentException if it is less than 1
     */
    public Query limit(int entries) {
        if (entries < 1) {
            throw new IllegalArgumentException("limit must be 1 or more, not " + entries);
        }
        Query q = new Query(this);
        q.limit = Math.min(entries, MAX_ENTRIES);
        return q;
    }

    /**
     * Returns a copy that skips the first entries of the ranking. Exact only while the store does not change; otherwise
     * use {@link #after}. Default 0.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public Query offset(int entries) {
        if (entries < 0) {
            throw new IllegalArgumentException("offset must be 0 or more, not " + entries);
        }
        Query q = new Query(this);
        q.offset = entries;
        return q;
    }

    /**
     * Returns a copy that continues after the page with this cursor, in the ranking of that page. Entries that were
     * appended since do not affect it.
     */
    public Query after(String cursor) {
        Query q = new Query(this);
        q.cursor = Objects.requireNonNull(cursor, "cursor");
        return q;
    }

    /**
     * Returns a copy with the maximum number of tokens of {@link Page#text()}, counted by the store's
     * {@link dev.xmem.spi.TokenEstimator}. Default: the store's budget, which is also the maximum: a larger value has
     * no effect, and the page says so.
     *
     * @throws IllegalArgumentException if it is less than {@value #MIN_TOKEN_BUDGET}
     */
    public Query tokenBudget(int tokens) {
        if (tokens < MIN_TOKEN_BUDGET) {
            throw new IllegalArgumentException(
                    "a token budget must be " + MIN_TOKEN_BUDGET + " or more, not " + tokens);
        }
        Query q = new Query(this);
        q.tokenBudget = tokens;
        return q;
    }

    /** Returns how to interpret {@link #text()}. */
    public TextMode textMode() {
        return textMode;
    }

    /** Returns the words, literal or expression; empty with {@link TextMode#NONE}. */
    public String text() {
        return text;
    }

    /** Returns the kinds; empty for all. */
    public Set<Entry.Kind> kinds() {
        return kinds;
    }

    /** Returns the type of notes; null for any. */
    public @Nullable String type() {
        return type;
    }

    /** Returns the tool; null for any. */
    public @Nullable String tool() {
        return tool;
    }

    /** Returns the tag; null for any. */
    public @Nullable String tag() {
        return tag;
    }

    /** Returns the context hash; null for any. */
    public @Nullable String ctxHash() {
        return ctxHash;
    }

    /** Returns the session; null for any. */
    public @Nullable String session() {
        return session;
    }

    /** Returns the earliest time, inclusive; null for none. */
    public @Nullable Instant from() {
        return from;
    }

    /** Returns the latest time, exclusive; null for none. */
    public @Nullable Instant to() {
        return to;
    }

    /** Returns the order. */
    public Order order() {
        return order;
    }

    /** Returns whose store is searched. */
    public Layer layer() {
        return layer;
    }

    /** Returns whether entries far below the best one are listed. */
    public boolean isDeep() {
        return deep;
    }

    /** Returns the layout of {@link Page#text()}. */
    public Layout layout() {
        return layout;
    }

    /** Returns the maximum number of entries per page. */
    public int limit() {
        return limit;
    }

    /** Returns the number of entries to skip. */
    public int offset() {
        return offset;
    }

    /** Returns the cursor to continue after; null for the beginning. */
    public @Nullable String cursor() {
        return cursor;
    }

    /** Returns the token budget; 0 for the store's. */
    public int tokenBudget() {
        return tokenBudget;
    }

    /** Returns this query in the language of {@link #parse}, without cursor, offset and layout. */
    @Override
    public String toString() {
        String known = printed;
        if (known == null) {
            known = QueryParser.print(this);
            printed = known;
        }
        return known;
    }

    /** The order of the hits; ties are broken by newest first, then by id. */
    public enum Order {
        /** Highest score first; without words the same as {@link #NEWEST}. */
        RELEVANCE,
        /** Latest {@code ts} first. */
        NEWEST
    }

    /** The layout of a page. */
    public enum Layout {
        /** Grouped and numbered, one line per entry, successes with their steps. For an overview. */
        LIST,
        /** All essential fields of every entry, after a digest of the store. For loading into a context. */
        CARDS,
        /** One JSON object: {@code {"results":[…],"total":…,"tokens":…,"next_offset":…,"cursor":…}}. For programs. */
        JSON,
        /**
         * No text: {@link Page#text()} is empty and costs nothing, and {@link Page#matches()} has as many entries as
         * the limit allows, whatever the token budget. For programs that read the fields of entries; the fastest.
         */
        DATA
    }

    /** How to interpret the text of a query. */
    public enum TextMode {
        /** No text. */
        NONE,
        /** Words combined by OR, ranked. */
        WORDS,
        /** A literal. */
        LITERAL,
        /** A regular expression. */
        REGEX
    }
}
