package dev.xmem;

import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What to look for, in which order, and how much of it. Immutable and thread-safe: each setter returns a copy. Filters
 * are joined by AND; words by OR, ranked. Defaults: all kinds, {@link Order#RELEVANCE}, {@link Layout#LIST}, a limit of
 * {@value #MAX_ENTRIES} entries, offset 0, the store's token budget.
 */
public final class Query {
    /** The most entries that a page ever holds. */
    public static final int MAX_ENTRIES = 70;

    /** The smallest token budget that a page can be cut to. */
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
    }

    /** Everything; filters narrow it. */
    public static Query all() {
        return ALL;
    }

    /**
     * Entries that these words mean, best first: joined by OR over all fields, stemmed, identifiers also by their parts,
     * causes also by other words. What is far below the best, or has only words that stand everywhere, is left out.
     */
    public static Query words(String text) {
        return ALL.text(TextMode.WORDS, text);
    }

    /** Entries that have exactly this text, upper and lower case told apart, inside one field. */
    public static Query literal(String text) {
        return ALL.text(TextMode.LITERAL, text);
    }

    /**
     * Entries that have a field in which this {@link java.util.regex.Pattern} is found. A search that takes too many
     * steps ends in {@link XMemException.Syntax}.
     */
    public static Query regex(String pattern) {
        return ALL.text(TextMode.REGEX, pattern);
    }

    /**
     * Reads the query language of the slash commands: {@code key=value} or {@code --key=value} with the keys {@code tool,
     * tag, ctx_hash, type, session, since, until, order, limit, offset, cursor, budget}, and free words. A value or a
     * phrase may stand in double quotes; free text that is one quoted phrase is a literal, {@code /text/} a regular
     * expression.
     *
     * @param words the query, in one or several arguments
     * @throws XMemException.Syntax if a value does not fit its key, or an option is unknown
     */
    public static Query parse(String... words) {
        return QueryParser.parse(String.join(" ", words));
    }

    private Query text(TextMode mode, String value) {
        Query q = new Query(this);
        q.textMode = mode;
        q.text = Objects.requireNonNull(value, "text");
        return q;
    }

    /** This query's filters with another text: how {@link #parse} joins the two. */
    Query withTextOf(Query other) {
        return text(other.textMode, other.text);
    }

    /** Only these kinds; none named means all. */
    public Query kind(Entry.Kind... kinds) {
        Query q = new Query(this);
        Set<Entry.Kind> set = EnumSet.noneOf(Entry.Kind.class);
        set.addAll(List.of(kinds));
        q.kinds = Set.copyOf(set);
        return q;
    }

    /** Only notes of this type, such as {@code fact}. */
    public Query type(String type) {
        Query q = new Query(this);
        q.type = Objects.requireNonNull(type, "type");
        return q;
    }

    /** Only failures and successes of this tool, upper and lower case alike. */
    public Query tool(String tool) {
        Query q = new Query(this);
        q.tool = Objects.requireNonNull(tool, "tool");
        return q;
    }

    /** Only entries with this tag, upper and lower case alike. */
    public Query tag(String tag) {
        Query q = new Query(this);
        q.tag = Objects.requireNonNull(tag, "tag");
        return q;
    }

    /** Only entries of this family. */
    public Query ctxHash(String hash) {
        Query q = new Query(this);
        q.ctxHash = Objects.requireNonNull(hash, "hash");
        return q;
    }

    /** Only entries that were recorded in this session. */
    public Query session(String session) {
        Query q = new Query(this);
        q.session = Objects.requireNonNull(session, "session");
        return q;
    }

    /** Only entries with {@code from ≤ ts < to}; null leaves an end open. */
    public Query between(@Nullable Instant from, @Nullable Instant to) {
        Query q = new Query(this);
        q.from = from;
        q.to = to;
        return q;
    }

    /** The order of the ranking. */
    public Query order(Order order) {
        Query q = new Query(this);
        q.order = Objects.requireNonNull(order, "order");
        return q;
    }

    /** How the page's text is laid out; the token budget holds for that text. */
    public Query layout(Layout layout) {
        Query q = new Query(this);
        q.layout = Objects.requireNonNull(layout, "layout");
        return q;
    }

    /**
     * At most this many entries; a page never holds more than {@value #MAX_ENTRIES}.
     *
     * @throws IllegalArgumentException unless 1 ≤ entries
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
     * Leaves out the first entries of the ranking. Exact on a store that does not change; use {@link #after} otherwise.
     *
     * @throws IllegalArgumentException unless 0 ≤ entries
     */
    public Query offset(int entries) {
        if (entries < 0) {
            throw new IllegalArgumentException("offset must be 0 or more, not " + entries);
        }
        Query q = new Query(this);
        q.offset = entries;
        return q;
    }

    /** Goes on where the page with this cursor ended, in the ranking as it was then, whatever was appended since. */
    public Query after(String cursor) {
        Query q = new Query(this);
        q.cursor = Objects.requireNonNull(cursor, "cursor");
        return q;
    }

    /**
     * The most tokens that the page's text may cost, by the store's {@link dev.xmem.spi.TokenEstimator}. Default: the
     * store's.
     *
     * @throws IllegalArgumentException if it is below {@value #MIN_TOKEN_BUDGET}
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

    /** How {@link #text()} is meant. */
    public TextMode textMode() {
        return textMode;
    }

    /** The words, literal or expression; empty with {@link TextMode#NONE}. */
    public String text() {
        return text;
    }

    /** The kinds asked for; empty means all. */
    public Set<Entry.Kind> kinds() {
        return kinds;
    }

    /** The note type asked for; null for any. */
    public @Nullable String type() {
        return type;
    }

    /** The tool asked for; null for any. */
    public @Nullable String tool() {
        return tool;
    }

    /** The tag asked for; null for any. */
    public @Nullable String tag() {
        return tag;
    }

    /** The context hash asked for; null for any. */
    public @Nullable String ctxHash() {
        return ctxHash;
    }

    /** The session asked for; null for any. */
    public @Nullable String session() {
        return session;
    }

    /** The earliest time, inclusive; null for none. */
    public @Nullable Instant from() {
        return from;
    }

    /** The latest time, exclusive; null for none. */
    public @Nullable Instant to() {
        return to;
    }

    /** The order of the ranking. */
    public Order order() {
        return order;
    }

    /** The layout of the page's text. */
    public Layout layout() {
        return layout;
    }

    /** The most entries on the page. */
    public int limit() {
        return limit;
    }

    /** How many entries of the ranking are left out first. */
    public int offset() {
        return offset;
    }

    /** The cursor to go on after; null for the beginning. */
    public @Nullable String cursor() {
        return cursor;
    }

    /** The token budget; 0 for the store's. */
    public int tokenBudget() {
        return tokenBudget;
    }

    /** This query in the language of {@link #parse}, without cursor, offset and layout: what a next command begins with. */
    @Override
    public String toString() {
        return QueryParser.print(this);
    }

    /** The order of a ranking; ties are broken by newest, then id. */
    public enum Order {
        /** Best match first; without words the same as {@link #NEWEST}. */
        RELEVANCE,
        /** Latest {@code ts} first. */
        NEWEST
    }

    /** How a page is written. */
    public enum Layout {
        /** Grouped and numbered, one line an entry; successes with their steps. For an overview. */
        LIST,
        /** All that matters of every entry, under a digest of the store. For loading into a context. */
        CARDS,
        /** One JSON object: {@code {"results":[…],"total":…,"tokens":…,"next_offset":…,"cursor":…}}. For programs. */
        JSON
    }

    /** How the text of a query is meant. */
    public enum TextMode {
        /** No text. */
        NONE,
        /** Words joined by OR, ranked. */
        WORDS,
        /** A text as it stands. */
        LITERAL,
        /** A regular expression. */
        REGEX
    }
}
