package dev.xmem;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parses and prints the query language of the slash commands, described at {@link Query#parse}. */
final class QueryParser {
    private static final Set<String> KEYS = Set.of(
            "tool",
            "tag",
            "ctx_hash",
            "type",
            "session",
            "since",
            "until",
            "order",
            "limit",
            "offset",
            "cursor",
            "budget",
            "layer",
            "deep");

    /** A word with a small letter: an unknown key of this form may be a misspelled one. */
    private static final Pattern MISSPELLED = Pattern.compile("(?=.*[a-z])[A-Za-z][A-Za-z_-]{1,15}");

    /** A number of 10 digits or more. */
    private static final String HUGE = "0*[1-9][0-9]{9,}";

    private static final Map<String, Entry.Kind> KINDS = Map.ofEntries(
            Map.entry("failure", Entry.Kind.FAILURE),
            Map.entry("failures", Entry.Kind.FAILURE),
            Map.entry("tool_failure", Entry.Kind.FAILURE),
            Map.entry("success", Entry.Kind.SUCCESS),
            Map.entry("successes", Entry.Kind.SUCCESS),
            Map.entry("tool_success", Entry.Kind.SUCCESS),
            Map.entry("note", Entry.Kind.NOTE),
            Map.entry("notes", Entry.Kind.NOTE),
            Map.entry("directive", Entry.Kind.DIRECTIVE),
            Map.entry("directives", Entry.Kind.DIRECTIVE),
            Map.entry("other", Entry.Kind.UNKNOWN));

    private QueryParser() {}

    /**
     * One word of a query, or a regular expression.
     *
     * @param position its start in the query
     * @param text its text without quotes
     * @param quoted whether it begins with a quote
     * @param quotedValue whether a quote begins after its equals sign
     */
    private record Word(int position, String text, boolean quoted, boolean quotedValue) {
        /** The key that it sets; empty if it sets none. */
        String key() {
            int eq = quoted ? -1 : text.indexOf('=');
            return eq < 0 ? "" : text.substring(text.startsWith("--") ? 2 : 0, eq);
        }

        String value() {
            return text.substring(text.indexOf('=') + 1);
        }

        /** Whether it is a key with two dashes and nothing else, such as the first word of {@code --limit 5}. */
        boolean isOptionWithoutValue() {
            return !quoted && text.startsWith("--") && KEYS.contains(text.substring(2));
        }

        /** Whether it is quoted for another reason than that it would be read as a setting or an option. */
        boolean isPhrase() {
            return quoted && (text.indexOf(' ') >= 0 || text.indexOf('=') < 0 && !text.startsWith("--"));
        }
    }

    static Query parse(String line) {
        Query query = Query.all();
        List<Word> free = new ArrayList<>();
        for (Word word : words(line)) {
            if (word.text.equals("--deep") && !word.quoted) {
                query = query.deep();
            } else if (KEYS.contains(word.key())) {
                query = set(query, word);
            } else if (word.text.startsWith("--") && word.text.indexOf('=') >= 0 && !word.quoted) {
                throw new XMemException.Syntax(
                        "unknown option --" + word.key() + "; known are --"
                                + String.join("=, --", KEYS.stream().sorted().toList()) + "=",
                        word.position);
            } else if (word.isOptionWithoutValue()) {
                throw new XMemException.Syntax(
                        word.text + " needs a value: write " + word.text
                                + "=VALUE. Search for the word itself in double quotes",
                        word.position);
            } else if (!nearKey(word).isEmpty()) {
                throw new XMemException.Syntax(
                        "unknown key " + word.key() + "=; did you mean " + nearKey(word)
                                + "=? Search for the word itself in double quotes",
                        word.position);
            } else {
                free.add(word);
            }
        }
        return free.isEmpty() ? query : query.withTextOf(text(free));
    }

    /**
     * The known key that a word misspells; empty if there is none. Paths, addresses and variables such as
     * {@code TAG=1} misspell no key.
     */
    private static String nearKey(Word word) {
        String written = word.key();
        if (written.isEmpty() || !MISSPELLED.matcher(written).matches() || KEYS.contains(written)) {
            return "";
        }
        String key = written.toLowerCase(Locale.ROOT);
        return KEYS.stream()
                .filter(known -> isNear(key, known))
                .min(String::compareTo)
                .orElse("");
    }

    /**
     * Whether a text is a known key, or one edit away behind an equal first letter: a letter more, less or another, or
     * two adjacent ones transposed.
     */
    private static boolean isNear(String given, String known) {
        int from = 0;
        int shorter = Math.min(given.length(), known.length());
        while (from < shorter && given.charAt(from) == known.charAt(from)) {
            from++;
        }
        int end = 0;
        while (end < shorter - from
                && given.charAt(given.length() - 1 - end) == known.charAt(known.length() - 1 - end)) {
            end++;
        }
        String here = given.substring(from, given.length() - end);
        String there = known.substring(from, known.length() - end);
        boolean transposed = here.length() == 2
                && there.length() == 2
                && here.charAt(0) == there.charAt(1)
                && here.charAt(1) == there.charAt(0);
        return transposed || from > 0 && here.length() <= 1 && there.length() <= 1;
    }

    static String print(Query q) {
        StringJoiner out = new StringJoiner(" ");
        switch (q.textMode()) {
            case NONE -> {}
            case WORDS -> out.add(plainWords(q.text()));
            case LITERAL -> out.add(quotes(q.text()));
            case REGEX -> out.add("/" + withoutEnds(q.text()) + "/");
        }
        for (Entry.Kind kind : Entry.Kind.values()) {
            add(out, "type", q.kinds().contains(kind) ? word(kind) : null);
        }
        if (q.type() != null) {
            out.add("type="
                    + (KINDS.keySet().stream().anyMatch(q.type()::equalsIgnoreCase)
                            ? quotes(q.type())
                            : value(q.type())));
        }
        add(out, "tool", q.tool());
        add(out, "tag", q.tag());
        add(out, "ctx_hash", q.ctxHash());
        add(out, "session", q.session());
        add(out, "since", q.from());
        add(out, "until", q.to());
        if (q.order() == Query.Order.NEWEST) {
            out.add("order=newest");
        }
        if (q.layer() != Layer.PROJECT) {
            out.add("layer=" + q.layer().name().toLowerCase(Locale.ROOT));
        }
        if (q.isDeep()) {
            out.add("deep=true");
        }
        if (q.limit() != Query.MAX_ENTRIES) {
            out.add("limit=" + q.limit());
        }
        return out.toString();
    }

    private static String word(Entry.Kind kind) {
        return kind == Entry.Kind.UNKNOWN ? "other" : kind.name().toLowerCase(Locale.ROOT);
    }

    private static void add(StringJoiner out, String key, @Nullable Object value) {
        if (value == null) {
            return;
        }
        out.add(key + "=" + value(value.toString()));
    }

    private static String value(String text) {
        boolean plain = !text.isEmpty();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            plain &= !Character.isWhitespace(c) && c != '"' && c != '\\';
        }
        return plain ? text : quotes(text);
    }

    private static String quotes(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    /**
     * The words in a form that parses as words: the beginning of a filter, literal or regular expression is separated,
     * and the dashes of an option are left out.
     */
    private static String plainWords(String text) {
        StringJoiner out = new StringJoiner(" ");
        for (Word word : wordsWithoutQuotes(text)) {
            boolean setting = KEYS.contains(word.key())
                    || word.text.startsWith("--")
                    || !nearKey(word).isEmpty();
            String separated = setting ? word.text.replaceFirst("=", " =") : word.text;
            boolean option = separated.startsWith("--")
                    && KEYS.contains(separated.substring(2).split(" ", 2)[0]);
            out.add(option ? separated.substring(2) : separated);
        }
        String plain = out.toString();
        int end = plain.length();
        while (plain.startsWith("/") && end > 0 && plain.charAt(end - 1) == '/') {
            end--;
        }
        return plain.substring(0, end);
    }

    private static List<Word> wordsWithoutQuotes(String text) {
        List<Word> words = new ArrayList<>();
        for (String word : text.replace('"', ' ').trim().split("\\s+")) {
            words.add(new Word(0, word, false, false));
        }
        return words;
    }

    /** The pattern with an escape before each slash that {@link #endOfRegex} would read as the end. */
    private static String withoutEnds(String pattern) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < pattern.length(); i++) {
            char c = pattern.charAt(i);
            if (c == '\\' && i + 1 < pattern.length()) {
                out.append(c).append(pattern.charAt(++i));
            } else {
                boolean end = c == '/' && i + 1 < pattern.length() && Character.isWhitespace(pattern.charAt(i + 1));
                out.append(end ? "\\/" : c);
            }
        }
        return out.toString();
    }

    private static Query text(List<Word> free) {
        Word first = free.get(0);
        if (free.size() == 1 && first.quoted) {
            return Query.literal(first.text);
        }
        Word second = free.stream().filter(Word::isPhrase).skip(1).findFirst().orElse(null);
        if (second != null) {
            throw new XMemException.Syntax(
                    "a query takes one phrase in double quotes; without quotes, its words are searched for",
                    second.position);
        }
        StringJoiner joined = new StringJoiner(" ");
        free.forEach(word -> joined.add(word.text));
        String text = joined.toString();
        boolean regex = !first.quoted && text.length() > 2 && text.startsWith("/") && text.endsWith("/");
        return regex ? Query.regex(text.substring(1, text.length() - 1)) : Query.words(text);
    }

    private static Query set(Query query, Word word) {
        String key = word.key();
        String value = word.value();
        int at = word.position;
        return switch (key) {
            case "tool" -> query.tool(value);
            case "tag" -> query.tag(value);
            case "ctx_hash" -> query.ctxHash(value);
            case "session" -> query.session(value);
            case "cursor" -> query.after(value);
            case "type" -> word.quotedValue ? query.type(value) : type(query, value);
            case "since" -> query.between(instant(key, value, at), query.to());
            case "until" -> query.between(query.from(), instant(key, value, at));
            case "order" -> query.order(order(value, at));
            case "layer" -> query.layer(layer(value, at));
            case "deep" -> deep(query, value, at);
            case "limit" -> query.limit(number(key, value, 1, at));
            case "offset" -> query.offset(number(key, value, 0, at));
            default -> query.tokenBudget(budget(value, at));
        };
    }

    /** The name of a kind selects the kind; any other word, or a quoted one, is a type of notes. */
    private static Query type(Query query, String value) {
        Entry.Kind kind = KINDS.get(value.toLowerCase(Locale.ROOT));
        return kind == null ? query.type(value) : plus(query, kind);
    }

    private static Query plus(Query query, Entry.Kind kind) {
        List<Entry.Kind> kinds = new ArrayList<>(query.kinds());
        kinds.add(kind);
        return query.kind(kinds.toArray(Entry.Kind[]::new));
    }

    private static Query.Order order(String value, int at) {
        return switch (value.toLowerCase(Locale.ROOT)) {
            case "newest" -> Query.Order.NEWEST;
            case "relevance" -> Query.Order.RELEVANCE;
            default -> throw new XMemException.Syntax("order is newest or relevance, not " + value, at);
        };
    }

    private static Layer layer(String value, int at) {
        try {
            return Layer.valueOf(value.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new XMemException.Syntax("layer is project, user or team, not " + value, at);
        }
    }

    private static Query deep(Query query, String value, int at) {
        return switch (value.toLowerCase(Locale.ROOT)) {
            case "true" -> query.deep();
            case "false" -> query;
            default -> throw new XMemException.Syntax("deep is true or false, not " + value, at);
        };
    }

    private static int number(String key, String value, int least, int at) {
        try {
            int number = Integer.parseInt(value);
            if (number >= least) {
                return number;
            }
        } catch (NumberFormatException e) {
            // falls through to the exception below
        }
        throw new XMemException.Syntax(
                key + " takes a whole number of " + least + " or more, not \"" + value + '"', at);
    }

    /** A budget that no int can express is lowered to the store's, as any budget above it. */
    private static int budget(String value, int at) {
        return value.matches(HUGE) ? Integer.MAX_VALUE : number("budget", value, Query.MIN_TOKEN_BUDGET, at);
    }

    private static Instant instant(String key, String value, int at) {
        try {
            return value.length() == 10
                    ? LocalDate.parse(value).atStartOfDay(ZoneOffset.UTC).toInstant()
                    : Instant.parse(value);
        } catch (DateTimeParseException e) {
            throw new XMemException.Syntax(
                    key + " takes a day such as 2026-02-14 or a time such as 2026-02-14T16:30:00Z, not \"" + value
                            + '"',
                    at);
        }
    }

    /**
     * Splits at white space outside double quotes and regular expressions. Inside quotes a backslash escapes the next
     * character.
     */
    private static List<Word> words(String line) {
        List<Word> words = new ArrayList<>();
        int i = 0;
        boolean mayEnd = true; // if one regular expression has no end, no later one has
        while (i < line.length()) {
            if (Character.isWhitespace(line.charAt(i))) {
                i++;
                continue;
            }
            int start = i;
            i = mayEnd ? endOfRegex(line, start) : start;
            mayEnd &= i > start || line.charAt(start) != '/';
            if (i > start) {
                words.add(new Word(start, line.substring(start, i), false, false));
                continue;
            }
            StringBuilder text = new StringBuilder();
            boolean quotedValue = false;
            while (i < line.length() && !Character.isWhitespace(line.charAt(i))) {
                boolean opens = line.charAt(i) == '"' && (i == start || line.charAt(i - 1) == '=');
                quotedValue |= opens && i > start;
                i = opens ? quoted(line, i, text) : plain(line, i, text);
            }
            words.add(new Word(start, text.toString(), line.charAt(start) == '"', quotedValue));
        }
        return words;
    }

    /**
     * The end of a regular expression, which white space or the end of the line follows; {@code start} if there is
     * none.
     */
    private static int endOfRegex(String line, int start) {
        for (int i = start + 1; line.charAt(start) == '/' && i < line.length(); i++) {
            boolean last = i + 1 == line.length() || Character.isWhitespace(line.charAt(i + 1));
            if (line.charAt(i) == '\\') {
                i++;
            } else if (line.charAt(i) == '/' && last && i > start + 1) {
                return i + 1;
            }
        }
        return start;
    }

    private static int plain(String line, int i, StringBuilder text) {
        text.append(line.charAt(i));
        return i + 1;
    }

    private static int quoted(String line, int open, StringBuilder text) {
        int i = open + 1;
        while (i < line.length() && line.charAt(i) != '"') {
            if (line.charAt(i) == '\\' && i + 1 < line.length()) {
                i++;
            }
            text.append(line.charAt(i));
            i++;
        }
        if (i >= line.length()) {
            throw new XMemException.Syntax("a quote is opened and not closed", open);
        }
        return i + 1;
    }
}
