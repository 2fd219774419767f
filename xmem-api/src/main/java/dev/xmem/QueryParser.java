package dev.xmem;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** The query language of the slash commands, both ways. */
final class QueryParser {
    private static final Set<String> KEYS = Set.of(
            "tool", "tag", "ctx_hash", "type", "session", "since", "until", "order", "limit", "offset", "cursor", "budget");

    private QueryParser() {}

    /** One word of a query: where it begins, its text without quotes, and whether it began with a quote. */
    private record Word(int position, String text, boolean quoted) {}

    static Query parse(String line) {
        Query query = Query.all();
        List<Word> free = new ArrayList<>();
        for (Word word : words(line)) {
            int eq = word.text.indexOf('=');
            boolean option = word.text.startsWith("--") && !word.quoted;
            String key = eq < 0 || word.quoted ? "" : word.text.substring(option ? 2 : 0, eq);
            if (KEYS.contains(key)) {
                query = set(query, key, word.text.substring(eq + 1), word.position);
            } else if (option && eq >= 0) {
                throw new XMemException.Syntax(
                        "unknown option " + word.text.substring(0, eq) + "; known are --" + String.join("=, --", KEYS.stream().sorted().toList()) + "=",
                        word.position);
            } else {
                free.add(word);
            }
        }
        return free.isEmpty() ? query : query.withTextOf(text(free));
    }

    static String print(Query q) {
        StringJoiner out = new StringJoiner(" ");
        switch (q.textMode()) {
            case NONE -> {}
            case WORDS -> out.add(q.text());
            case LITERAL -> out.add('"' + q.text().replace("\\", "\\\\").replace("\"", "\\\"") + '"');
            case REGEX -> out.add("/" + q.text() + "/");
        }
        q.kinds().stream().sorted().forEach(kind -> add(out, "type", kind.name().toLowerCase(Locale.ROOT)));
        add(out, "type", q.type());
        add(out, "tool", q.tool());
        add(out, "tag", q.tag());
        add(out, "ctx_hash", q.ctxHash());
        add(out, "session", q.session());
        add(out, "since", q.from());
        add(out, "until", q.to());
        if (q.order() == Query.Order.NEWEST) {
            out.add("order=newest");
        }
        if (q.limit() != Query.MAX_ENTRIES) {
            out.add("limit=" + q.limit());
        }
        return out.toString();
    }

    private static void add(StringJoiner out, String key, @Nullable Object value) {
        if (value == null) {
            return;
        }
        String text = value.toString();
        boolean plain = !text.isEmpty() && text.chars().noneMatch(c -> Character.isWhitespace(c) || c == '"' || c == '\\');
        out.add(key + "=" + (plain ? text : '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"'));
    }

    private static Query text(List<Word> free) {
        Word first = free.get(0);
        if (free.size() == 1 && first.quoted) {
            return Query.literal(first.text);
        }
        StringJoiner joined = new StringJoiner(" ");
        free.forEach(word -> joined.add(word.text));
        String text = joined.toString();
        boolean regex = !first.quoted && text.length() > 2 && text.startsWith("/") && text.endsWith("/");
        return regex ? Query.regex(text.substring(1, text.length() - 1)) : Query.words(text);
    }

    private static Query set(Query query, String key, String value, int at) {
        return switch (key) {
            case "tool" -> query.tool(value);
            case "tag" -> query.tag(value);
            case "ctx_hash" -> query.ctxHash(value);
            case "session" -> query.session(value);
            case "cursor" -> query.after(value);
            case "type" -> type(query, value);
            case "since" -> query.between(instant(key, value, at), query.to());
            case "until" -> query.between(query.from(), instant(key, value, at));
            case "order" -> query.order(order(value, at));
            case "limit" -> query.limit(number(key, value, 1, at));
            case "offset" -> query.offset(number(key, value, 0, at));
            default -> query.tokenBudget(number(key, value, Query.MIN_TOKEN_BUDGET, at));
        };
    }

    private static Query type(Query query, String value) {
        return switch (value.toLowerCase(Locale.ROOT)) {
            case "failure", "failures", "tool_failure" -> plus(query, Entry.Kind.FAILURE);
            case "success", "successes", "tool_success" -> plus(query, Entry.Kind.SUCCESS);
            case "note", "notes" -> plus(query, Entry.Kind.NOTE);
            case "directive", "directives" -> plus(query, Entry.Kind.DIRECTIVE);
            case "other" -> plus(query, Entry.Kind.OTHER);
            default -> query.type(value);
        };
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

    private static int number(String key, String value, int least, int at) {
        try {
            int number = Integer.parseInt(value);
            if (number >= least) {
                return number;
            }
        } catch (NumberFormatException e) {
            // told below, with the same words
        }
        throw new XMemException.Syntax(key + " takes a whole number of " + least + " or more, not \"" + value + '"', at);
    }

    private static Instant instant(String key, String value, int at) {
        try {
            return value.length() == 10 ? LocalDate.parse(value).atStartOfDay(ZoneOffset.UTC).toInstant() : Instant.parse(value);
        } catch (DateTimeParseException e) {
            throw new XMemException.Syntax(
                    key + " takes a day such as 2026-02-14 or a time such as 2026-02-14T16:30:00Z, not \"" + value + '"', at);
        }
    }

    /** Splits at white space outside double quotes; inside them a backslash takes the next character as it is. */
    private static List<Word> words(String line) {
        List<Word> words = new ArrayList<>();
        int i = 0;
        while (i < line.length()) {
            if (Character.isWhitespace(line.charAt(i))) {
                i++;
                continue;
            }
            int start = i;
            StringBuilder text = new StringBuilder();
            while (i < line.length() && !Character.isWhitespace(line.charAt(i))) {
                boolean opens = line.charAt(i) == '"' && (i == start || line.charAt(i - 1) == '=');
                i = opens ? quoted(line, i, text) : plain(line, i, text);
            }
            words.add(new Word(start, text.toString(), line.charAt(start) == '"'));
        }
        return words;
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
